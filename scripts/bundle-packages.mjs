// Packages of many small CommonJS files are put into the one built file that uses them: the 170 files of special functions alone cost
// 100 ms of every command that needs an interval. Run by build.mjs after tsc.
import { rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Built file, and the packages that it takes in: no other file may import them, or they would be loaded twice. */
const bundles = [
  {
    file: 'dist/stats/distributions.js',
    packages: /^@stdlib\//,
    licence: '@stdlib, Copyright (c) 2016-2026 The Stdlib Authors, Apache-2.0',
  },
  { file: 'dist/metrics/text/json-metrics.js', packages: /^ajv\//, licence: 'ajv, Copyright (c) 2015-2021 Evgeny Poberezkin, MIT' },
];

/** The special functions write nothing but debugging lines through it. */
const silentDebug = {
  name: 'silent-debug',
  resolveId: (id) => (id === 'debug' ? '\0debug' : null),
  load: (id) => (id === '\0debug' ? 'module.exports = () => () => {};' : null),
};

const isInPackage = (path) => path?.includes('/node_modules/') === true;

for (const { file, packages, licence } of bundles) {
  const [{ output }] = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    plugins: [silentDebug],
    build: {
      write: false,
      target: 'es2024',
      minify: true,
      lib: { entry: `${root}${file}`, formats: ['es'] },
      rolldownOptions: {
        // What a taken-in package imports comes along; everything else that the built file imports stays a file of its own.
        external: (id, importer) => importer !== undefined && !isInPackage(importer) && !isInPackage(id) && !packages.test(id),
      },
    },
  });
  const [{ code, imports }] = output;
  const left = imports.filter((name) => packages.test(name) || isInPackage(name));
  if (output.length > 1 || left.length > 0) throw new Error(`${file} still loads ${left.join(', ') || 'more files'}`);
  writeFileSync(`${root}${file}`, `// Holds ${licence}; the licence texts are in the installed packages.\n${code}\n`);
  rmSync(`${root}${file}.map`, { force: true });
}
