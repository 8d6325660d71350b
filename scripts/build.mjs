// Builds dist/ from src/: tsc, the script of the HTML report, and the web client when it is there. Runs from `prepare`, so it skips itself where the sources are absent.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
if (!existsSync(`${root}/src`) || !existsSync(`${root}/node_modules/@typescript/native`)) process.exit(0);

function run(script, args) {
  const result = spawnSync(process.execPath, [`${root}/node_modules/${script}`, ...args], { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

rmSync(`${root}/dist`, { recursive: true, force: true });
run('@typescript/native/bin/tsc', ['-p', 'tsconfig.build.json']);
run('../scripts/bundle-packages.mjs', []);
run('../scripts/build-report-client.mjs', []);
if (existsSync(`${root}/src/web/client/vite.config.ts`))
  run('vite/bin/vite.js', ['build', '--config', 'src/web/client/vite.config.ts', '--logLevel', 'warn']);
// The top-level help and the tables of the built-in catalogues are rendered once here, so that showing them loads next to nothing.
const { buildProgram } = await import('../dist/cli/program.js');
const program = await buildProgram([], () => {});
let help = '';
program.configureOutput({
  writeOut: (part) => {
    help += part;
  },
  getOutHelpWidth: () => 100,
});
program.outputHelp();
writeFileSync(`${root}/dist/cli/help.txt`, help);

const { makeListing } = await import('../dist/app/listings/list-everything.js');
mkdirSync(`${root}/dist/app/listings/built`, { recursive: true });
for (const name of ['models', 'datasets', 'tasks']) {
  const { json: _, ...listing } = await makeListing(name, { userModels: [] }, false);
  writeFileSync(`${root}/dist/app/listings/built/${name}.json`, JSON.stringify(listing));
}
