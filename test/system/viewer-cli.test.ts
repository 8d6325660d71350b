// `slmbench view` as it is typed: prints one address, serves until it is interrupted, exports, and refuses what it should.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { type MadeRun, makeRun, temporaryFolder } from './viewer-fixtures.ts';

const main = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const script = `import(${JSON.stringify(main)}).then(async (m) => { process.exitCode = await m.main(process.argv.slice(1)); })`;
const command = (...flags: string[]): string[] => ['-e', script, '--', 'view', ...flags];
const runsFolder = temporaryFolder('cli');
let run: MadeRun;
beforeAll(async () => {
  if (!existsSync(fileURLToPath(new URL('../../dist/web/client/index.html', import.meta.url))))
    throw new Error('dist/ is missing: run npm run build first');
  run = await makeRun({ runsFolder, samples: 6 });
});

function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout!.setEncoding('utf8').once('data', resolve);
    child.once('exit', (code) => reject(new Error(`ended with ${code}`)));
  });
}

it('serves the runs folder until it is interrupted', async () => {
  const child = spawn(process.execPath, command('-o', runsFolder, '--port', '0', '--json'), { stdio: ['ignore', 'pipe', 'inherit'] });
  const { url } = JSON.parse(await firstLine(child)) as { url: string };
  const first = await fetch(url, { redirect: 'manual' });
  expect(first.status).toBe(303);
  const cookie = first.headers.get('set-cookie')!.split(';')[0]!;
  const runs = (await (await fetch(new URL('/api/runs', url), { headers: { cookie } })).json()) as { rows: { id: string }[] };
  expect(runs.rows.map(({ id }) => id)).toEqual([run.id]);
  // An open event stream does not keep it alive.
  const stream = await fetch(new URL('/api/events', url), { headers: { cookie } });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGINT');
  expect(await ended).toBe(0);
});

it('exports a site, and refuses other addresses and full folders', () => {
  const target = join(temporaryFolder('cli-site'), 'site');
  const run = (...flags: string[]) => spawnSync(process.execPath, command('-o', runsFolder, ...flags), { encoding: 'utf8' });
  const exported = run('--export', target, '--json');
  expect(exported.status, exported.stderr).toBe(0);
  expect(JSON.parse(exported.stdout)).toMatchObject({ runs: 1, samples: 12 });
  expect(existsSync(join(target, 'index.html'))).toBe(true);
  expect(run('--export', target)).toMatchObject({ status: 2, stderr: expect.stringContaining('not empty') });
  expect(run('--host', '0.0.0.0', '--port', '0')).toMatchObject({ status: 2, stderr: expect.stringContaining('this machine only') });
  expect(run('--port', '99999')).toMatchObject({ status: 2 });
});
