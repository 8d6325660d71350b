// A performance run that is cut goes on where it was: whole stages are kept, a cut one is measured anew as a whole.
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, test } from 'vitest';
import type { RunRecord } from '../../src/core/record.ts';
import { openFakeOpenai } from '../servers/fake-openai.ts';
import type { MockServer } from '../servers/mock-server.ts';
import { runCli, temporaryFolder } from './run-cli.ts';

const bin = fileURLToPath(new URL('../../bin/slmbench.js', import.meta.url));
const perLoad = 20;

let server: MockServer;
let isDead = false;
afterEach(() => server.close());

async function startServer(): Promise<void> {
  isDead = false;
  server = await openFakeOpenai({
    model: 'm',
    answers: {},
    contextTokens: 4096,
    pauseMs: 25,
    intercept: ({ path }) => (isDead && path.endsWith('/completions') ? { pieces: [], end: 'reset' } : undefined),
  });
}

function args(...more: string[]): string[] {
  return [
    ...['perf', '-m', `openai:m@${server.url}/v1`, '--users', '1', '2', '--rate', '15', '--arrivals', 'constant'],
    ...['-n', String(perLoad), '--warm-up', '1', '--text', 'questions', '--output-tokens', '8', '-q', '-o', 'runs', ...more],
  ];
}

function asked(): number {
  return server.requests.filter(({ path }) => path.endsWith('/completions')).length;
}

function folders(cwd: string): string[] {
  return readdirSync(join(cwd, 'runs'));
}

function recordOf(cwd: string, run: string): RunRecord {
  return JSON.parse(readFileSync(join(cwd, 'runs', run, 'record.json'), 'utf8')) as RunRecord;
}

interface Point {
  readonly label: string;
  readonly requests: { readonly sent: number; readonly failed: number };
  readonly windows: readonly unknown[];
  readonly metrics: Record<string, { readonly p50: number | null }>;
}

function pointsOf(record: RunRecord): readonly Point[] {
  return (record.performance as unknown as { readonly subjects: readonly { readonly points: readonly Point[] }[] }).subjects[0]!.points;
}

/** Starts the run, ends it with a signal once the first stage is kept and some of the second is asked, and waits for its end. */
async function cutDuringSecondStage(cwd: string, signal: NodeJS.Signals): Promise<number | null> {
  const child = spawn(process.execPath, [bin, ...args()], {
    cwd,
    env: { ...process.env, SLMBENCH_CACHE: join(cwd, 'cache') },
    stdio: 'ignore',
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', (code) => resolve(code)));
  const stage = (): boolean =>
    existsSync(join(cwd, 'runs')) && folders(cwd).some((run) => existsSync(join(cwd, 'runs', run, 'stage-0000.json')));
  while (!stage()) await sleep(5);
  const before = asked();
  while (asked() < before + 6) await sleep(5);
  child.kill(signal);
  return ended;
}

test('kill -9, then the same command: the finished stage is kept, the cut one measured whole, the record is that of one run', async () => {
  await startServer();
  const cwd = await temporaryFolder();
  await cutDuringSecondStage(cwd, 'SIGKILL');
  const [run] = folders(cwd);
  expect(existsSync(join(cwd, 'runs', run!, 'record.json'))).toBe(false);
  const before = asked();
  expect((await runCli(args(), { cwd })).code).toBe(0);
  // Two stages with a round of warm-up each (two users, one user); nothing of the first.
  expect(asked() - before).toBe(2 * perLoad + 2 + 1);
  expect(folders(cwd)).toEqual([run]);
  const record = recordOf(cwd, run!);
  expect(record).toMatchObject({ status: 'complete', id: run, notes: [expect.stringMatching(/^1 finished stages are kept from 20/)] });
  const points = pointsOf(record);
  expect(points.map((point) => point.label)).toEqual(['1 user', '2 users', '15 req/s']);
  for (const point of points) {
    expect(point.requests).toMatchObject({ sent: perLoad, failed: 0 });
    expect(point.windows).toHaveLength(1);
    expect(point.metrics['e2e']!.p50!).toBeGreaterThan(20);
  }
  const lines = readFileSync(join(cwd, 'runs', run!, 'requests.jsonl'), 'utf8')
    .trim()
    .split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { readonly point: number }).point)).toEqual(
    [0, 1, 2].flatMap((point) => Array<number>(perLoad).fill(point)),
  );
  expect(readdirSync(join(cwd, 'runs', run!)).filter((name) => name.startsWith('stage-'))).toEqual([]);
  expect(await runCli(['verify', run!, '-o', 'runs'], { cwd })).toMatchObject({ code: 0, stdout: expect.stringContaining('3 results') });
  // A finished run is not gone on with.
  expect((await runCli(args(), { cwd })).code).toBe(0);
  expect(folders(cwd)).toHaveLength(2);
});

test('Ctrl-C leaves a partial record; other settings do not resume it, --fresh neither, the same command does', async () => {
  await startServer();
  const cwd = await temporaryFolder();
  expect(await cutDuringSecondStage(cwd, 'SIGINT')).toBe(130);
  const [run] = folders(cwd);
  expect(recordOf(cwd, run!).status).toBe('partial');
  expect((await runCli(args('--seed', '7'), { cwd })).code).toBe(0);
  expect((await runCli(args('--fresh'), { cwd })).code).toBe(0);
  expect(recordOf(cwd, run!).status).toBe('partial');
  const before = asked();
  expect((await runCli(args(), { cwd })).code).toBe(0);
  expect(asked() - before).toBe(2 * perLoad + 2 + 1);
  expect(recordOf(cwd, run!)).toMatchObject({ status: 'complete' });
  expect(folders(cwd)).toHaveLength(3);
});

test('a server that goes away: what was asked then are errors, exit code 1; with the server back the lost stage is measured', async () => {
  await startServer();
  const cwd = await temporaryFolder();
  const started = runCli(args(), { cwd });
  while (asked() < 1 + perLoad + 2 + 8) await sleep(5);
  isDead = true;
  const lost = await started;
  expect(lost.code).toBe(1);
  const [run] = folders(cwd);
  const partial = recordOf(cwd, run!);
  expect(partial.status).toBe('partial');
  expect(partial.notes.join('\n')).toContain('2 users, repetition 1 lost its server: the same command measures it anew');
  expect(pointsOf(partial)[1]!.requests.failed).toBeGreaterThan(0);
  isDead = false;
  const before = asked();
  expect((await runCli(args(), { cwd })).code).toBe(0);
  expect(asked() - before).toBe(2 * perLoad + 2 + 1);
  expect(recordOf(cwd, run!).status).toBe('complete');
  expect(pointsOf(recordOf(cwd, run!)).every(({ requests }) => requests.failed === 0)).toBe(true);
});

test('a model that does not open leaves no run behind', async () => {
  await startServer();
  const cwd = await temporaryFolder();
  const failed = await runCli(['perf', '-m', `openai:other@${server.url}/v1`, '-n', '2', '-q', '-o', 'runs'], { cwd });
  expect(failed.code).not.toBe(0);
  expect(existsSync(join(cwd, 'runs')) ? folders(cwd) : []).toEqual([]);
});
