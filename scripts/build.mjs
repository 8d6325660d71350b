// Builds dist/ from src/ (tsc, then the web client when it is there). Runs from `prepare`, so it skips itself where the sources are absent.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
if (!existsSync(`${root}/src`) || !existsSync(`${root}/node_modules/@typescript/native`)) process.exit(0);

function run(script, args) {
  const result = spawnSync(process.execPath, [`${root}/node_modules/${script}`, ...args], { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) process.exit(result.status ?? 1);
}

rmSync(`${root}/dist`, { recursive: true, force: true });
run('@typescript/native/bin/tsc', ['-p', 'tsconfig.build.json']);
if (existsSync(`${root}/src/web/client/vite.config.ts`))
  run('vite/bin/vite.js', ['build', '--config', 'src/web/client/vite.config.ts', '--logLevel', 'warn']);
