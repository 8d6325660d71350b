// Bundles the script of the HTML report into one file: src/report/html/client/main.ts -> dist/report/html/report-client.bundle.js.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
export const reportClientPath = `${root}dist/report/html/report-client.bundle.js`;

/** @returns {Promise<string>} the script as one classic script */
export async function bundleReportClient() {
  const { build } = await import('vite');
  const result = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      lib: { entry: `${root}src/report/html/client/main.ts`, formats: ['iife'], name: 'slmbenchReport' },
    },
  });
  const [output] = Array.isArray(result) ? result : [result];
  return output.output.find((file) => file.type === 'chunk').code;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  mkdirSync(dirname(reportClientPath), { recursive: true });
  writeFileSync(reportClientPath, await bundleReportClient());
}
