import { execFile } from 'node:child_process';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { temporaryFolder } from './run-cli.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

test('the packed package, installed into an empty folder elsewhere, runs the toy model', { timeout: 600_000 }, async () => {
  const cwd = await temporaryFolder();
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', cwd], { cwd: root, timeout: 120_000 });
  const archive = (await readdir(cwd)).find((name) => name.endsWith('.tgz'))!;
  const app = join(cwd, 'app');
  await mkdir(app);
  await writeFile(join(app, 'package.json'), '{ "name": "app", "private": true, "type": "module" }');
  await run('npm', ['install', '--no-audit', '--no-fund', join(cwd, archive)], { cwd: app, timeout: 500_000 });
  const env = { ...process.env, SLMBENCH_CACHE: join(cwd, 'cache'), SLMBENCH_OFFLINE: '1' };
  const bin = join(app, 'node_modules/slmbench/bin/slmbench.js');
  const { stdout } = await run(process.execPath, [bin, 'run', '-m', 'toy', '-d', 'commonsense-mini', '-n', '4', '--threads', '1'], {
    cwd: app,
    env,
  });
  expect(stdout).toContain('commonsense-mini');
  await run(process.execPath, [bin, 'verify', 'latest'], { cwd: app, env });
  await writeFile(
    join(app, 'use.js'),
    "import { listTasks, defineMetric } from 'slmbench'; console.log(listTasks().length, typeof defineMetric);",
  );
  const used = await run(process.execPath, ['use.js'], { cwd: app, env });
  expect(used.stdout).toMatch(/^\d+ function/);
});
