import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { runCli, temporaryFolder } from './run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/slmbench.js', import.meta.url));
const args = [
  'run',
  '-m',
  'toy',
  '-d',
  'summarisation-mini',
  '--threads',
  '1',
  '--max-tokens',
  '400',
  '--no-profile',
  '--progress',
  'ndjson',
  '-o',
  'runs',
];

interface LiveRun {
  readonly pid: number;
  /** Resolves when so many samples have finished. */
  readonly samples: (count: number) => Promise<void>;
  readonly ended: Promise<number | null>;
  readonly events: { readonly kind: string }[];
}

function start(cwd: string): LiveRun {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd,
    env: { ...process.env, SLMBENCH_CACHE: `${cwd}/cache`, SLMBENCH_OFFLINE: '1' },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const events: { kind: string }[] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  let rest = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop()!;
    for (const line of lines) if (line.startsWith('{')) events.push(JSON.parse(line) as { kind: string });
    const finished = events.filter((event) => event.kind === 'sample-finished').length;
    for (const entry of waiting) if (finished >= entry.count) entry.resolve();
  });
  return {
    pid: child.pid!,
    samples: (count) => new Promise((resolve) => waiting.push({ count, resolve })),
    ended: new Promise((resolve) => child.on('close', (code) => resolve(code))),
    events,
  };
}

function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1] === String(pid);
      } catch {
        return false;
      }
    })
    .map(Number);
}

async function canonical(cwd: string): Promise<string> {
  return (await runCli(['record', 'canonical', 'latest', '-o', 'runs'], { cwd })).stdout;
}

test.runIf(process.platform === 'linux')('a killed engine is restarted and the run goes on', async () => {
  const cwd = await temporaryFolder();
  const run = start(cwd);
  await run.samples(2);
  for (const pid of childrenOf(run.pid)) process.kill(pid, 'SIGKILL');
  expect(await run.ended).toBe(0);
  expect(run.events.some((event) => event.kind === 'engine-restarted')).toBe(true);
  const verified = await runCli(['verify', 'latest', '-o', 'runs'], { cwd });
  expect(verified.code).toBe(0);
});

test('kill -9 and the same command again gives the record of an undisturbed run', async () => {
  const [disturbed, quiet] = [await temporaryFolder(), await temporaryFolder()];
  const first = start(disturbed);
  await first.samples(3);
  process.kill(first.pid, 'SIGKILL');
  await first.ended;
  const second = start(disturbed);
  expect(await second.ended).toBe(0);
  expect(second.events[0]).toMatchObject({ kind: 'run-started', resumed: true });
  expect(await start(quiet).ended).toBe(0);
  const text = await canonical(disturbed);
  expect(text.split('\n').length).toBeGreaterThan(30);
  expect(text).toBe(await canonical(quiet));
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s finishes what is in flight, writes a partial record and exits %i', async (signal, code) => {
  const cwd = await temporaryFolder();
  const run = start(cwd);
  await run.samples(2);
  process.kill(run.pid, signal);
  expect(await run.ended).toBe(code);
  const record = JSON.parse((await runCli(['record', 'show', 'latest', '-o', 'runs'], { cwd })).stdout);
  expect(record.status).toBe('partial');
  expect(record.results[0].counts.missing).toBeGreaterThan(0);
});
