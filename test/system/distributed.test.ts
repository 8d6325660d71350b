// Sharing a run on a real PostgreSQL: joins, cancels, wrong input of every kind, and the same record as a local run.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { canonicalText } from '../../src/app/canonical.ts';
import { cancelRun, readLogs, readStatus } from '../../src/app/distributed/control.ts';
import { exportRun } from '../../src/app/distributed/export-run.ts';
import { runOnDatabase, workOn } from '../../src/app/distributed/run-on-database.ts';
import { submit } from '../../src/app/distributed/submit.ts';
import { evaluateRequest } from '../../src/app/evaluate-request.ts';
import { openRun } from '../../src/app/open-run.ts';
import { openWorkspace } from '../../src/app/workspace.ts';
import { type Database, openDatabase } from '../../src/store/postgres/database.ts';
import { databaseAddress } from '../../src/store/postgres/database-url.ts';
import { migrate, migrations } from '../../src/store/postgres/migrations.ts';
import { openSharedStore, type SharedStore } from '../../src/store/postgres/shared-store.ts';
import { chaosRequest, isOver, startWorker, writeChaosFiles } from './distributed-chaos.ts';
import { freePort, startDatabase, type TestDatabase } from './distributed-database.ts';

let server: TestDatabase;
let folder = '';
let name = '';
let count = 0;
let store: SharedStore;
beforeAll(async () => {
  server = await startDatabase();
  process.env['PGPASSWORD'] = server.password;
  folder = await mkdtemp(join(tmpdir(), 'slmbench-shared-'));
});
beforeEach(async () => {
  await store?.close();
  name = `test${++count}`;
  await server.createDatabase(name);
  store = await openSharedStore(server.url(name));
});
afterAll(async () => {
  await store.close();
  await server.stop();
  delete process.env['PGPASSWORD'];
  await rm(folder, { recursive: true, force: true });
});

const lines: string[] = [];
/** Works until nothing is left to do. */
async function work(over: Partial<Parameters<typeof workOn>[1]> = {}): Promise<number> {
  return workOn(server.url(name), { exitWhenIdleMs: 1500, lostAfterSeconds: 2, offline: true, write: (line) => lines.push(line), ...over });
}
function files(samples = 60, latencyMs = 0) {
  return writeChaosFiles(join(folder, name), samples, latencyMs);
}
function request(samples = 60, latencyMs = 0, over: Parameters<typeof chaosRequest>[2] = {}) {
  return chaosRequest(files(samples, latencyMs), join(folder, name, 'runs'), over);
}
async function canonicalOf(run: string): Promise<string> {
  let text = '';
  for await (const line of canonicalText(await openRun(run, await openWorkspace({ offline: true })))) text += line;
  return text;
}

test('run --database gives the same as a local run, and its folder verifies without secrets in it', async () => {
  const shared = await runOnDatabase(server.url(name), request(), {});
  const local = await evaluateRequest(chaosRequest(files(), join(folder, name, 'local')));
  if (shared.kind !== 'record' || local.kind !== 'record') throw new Error('no record');
  expect(shared.record.status).toBe('complete');
  expect(await canonicalOf(shared.folder)).toBe(await canonicalOf(local.folder));
  expect(JSON.stringify(shared.record)).not.toContain(server.password);
});

test('two submits of one plan join; a finished plan starts anew; two workers with clocks hours apart share the work', async () => {
  const [first, second] = await Promise.all([
    submit(request(80, 30), store, { samples: 5 }),
    submit(request(80, 30), store, { samples: 5 }),
  ]);
  expect(first.runId).toBe(second.runId);
  expect([first.joined, second.joined].toSorted()).toEqual([false, true]);
  const workers = [0, 7_200_000].map((skewMs, slot) =>
    startWorker(server.url(name), `clock${slot}`, join(folder, name), server.environment, { skewMs }),
  );
  for (const end = performance.now() + 120_000; performance.now() < end && !(await isOver(store, first.runId)); )
    await new Promise((resolve) => setTimeout(resolve, 100));
  for (const { process: running } of workers) running.kill('SIGTERM');
  await Promise.all(workers.map(({ ended }) => ended));
  const { record } = await exportRun(store, first.runId, join(folder, name, 'out'));
  expect(record.status).toBe('complete');
  expect(record.results[0]!.counts.total).toBe(80);
  expect(record.durationMs).toBeGreaterThan(0);
  expect(record.created <= record.finished).toBe(true);
  expect((await submit(request(80, 30), store)).runId).not.toBe(first.runId);
});

test('cancel while running: workers stop, what is done stays in a partial record, and submitting again goes on from there', async () => {
  const { runId } = await submit(request(200, 100), store, { samples: 20 });
  const working = work({ exitWhenIdleMs: 4000 });
  for (const end = performance.now() + 60_000; performance.now() < end; ) {
    const [status] = (await readStatus(store, runId)).runs;
    if (status!.chunks.done >= 1 && status!.chunks.active >= 1) break;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await cancelRun(store, runId)).toBe(true);
  await working;
  const { record } = await exportRun(store, runId, join(folder, name, 'out'));
  expect(record.status).toBe('partial');
  const kept = record.results[0]!.counts.total - record.results[0]!.counts.missing;
  expect(kept).toBeGreaterThan(0);
  expect(record.results[0]!.counts.missing).toBeGreaterThan(0);
  expect(record.notes).toContain('cancelled before its end');
  expect(await cancelRun(store, runId)).toBe(false);
  const again = await submit(request(200, 100), store, { samples: 20 });
  expect(again).toMatchObject({ runId, joined: false });
  expect(again.samples).toBeLessThan(200);
  await work();
  expect((await exportRun(store, runId, join(folder, name, 'out'))).record.status).toBe('complete');
});

test('a worker takes only what it can run, and says why it leaves the rest', async () => {
  const { runId } = await submit(request(), store);
  expect(await work({ backends: ['llama'] })).toBe(0);
  expect(lines.join('')).toContain('backend scripted is not on this worker');
  await rm(join(folder, name, 'numbers.json'));
  expect(await work()).toBe(0);
  await writeFile(join(folder, name, 'numbers.json'), JSON.stringify({ rules: [{ pattern: '.', text: 'odd' }] }));
  expect(await work()).toBe(0);
  expect(lines.join('')).toContain('is another file here');
  files();
  expect(await work()).toBeGreaterThan(0);
  expect((await readStatus(store, runId)).runs[0]).toMatchObject({ state: 'finished', recordStatus: 'complete' });
  const logs = [];
  for await (const { event } of readLogs(store, runId, false)) logs.push(JSON.parse(event) as { message: string; run: string });
  expect(logs.some((line) => line.message === 'record written' && line.run === runId)).toBe(true);
});

test('a plan whose task or data is another one here is left alone with the reason', async () => {
  const { runId } = await submit(request(), store);
  writeChaosFiles(join(folder, name), 59, 0);
  expect(await work()).toBe(0);
  expect(lines.join('')).toContain('lacks 1 samples of the plan here');
  await rm(join(folder, name, 'numbers.jsonl'));
  expect(await work()).toBe(0);
  await store.database.query(`update slmbench.submissions set submission = replace(submission, '/numbers.jsonl', '/no-such-task')`);
  expect(await work()).toBe(0);
  expect(lines.join('')).toMatch(/cannot take this work: .*no-such-task/);
  expect((await readStatus(store, runId)).runs[0]!.doneSamples).toBe(0);
});

test('runs of higher priority are worked on first', async () => {
  const low = await submit(request(40), store, { priority: 0 });
  const high = await submit(request(40, 0, { settings: { concurrency: 4, maxErrorRate: 0.1, profile: false, seed: 7 } }), store, {
    priority: 5,
  });
  await work();
  const ended = new Map((await readStatus(store)).runs.map((run) => [run.runId, run.ended!]));
  expect(ended.get(high.runId)! < ended.get(low.runId)!).toBe(true);
});

test('a model that cannot be loaded ends as dead chunks and a partial record, not as an endless run', async () => {
  const { runId } = await submit(request(20), store, { samples: 10, retryLimit: 1, longestRetryDelaySeconds: 1 });
  // The chunk names rows that its task does not have: every try fails.
  await store.database.query('update slmbench.chunks set past = past + 1000, samples = samples + 1000 where chunk = 1');
  await work({ exitWhenIdleMs: 12_000, onlyRun: runId });
  const [status] = (await readStatus(store, runId)).runs;
  expect(status).toMatchObject({ state: 'finished', chunks: { done: 1, dead: 1 } });
});

test('metrics and health are served', { timeout: 120_000 }, async () => {
  await submit(request(100, 50), store, { samples: 10 });
  const port = await freePort();
  const working = work({ metricsPort: port, exitWhenIdleMs: 2500 });
  let text = '';
  let health = 0;
  for (
    const end = performance.now() + 60_000;
    performance.now() < end && !/slmbench_chunks_total\{result="done"[^}]*\} [1-9]/.test(text);
  ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    text = await fetch(`http://127.0.0.1:${port}/metrics`)
      .then((answer) => answer.text())
      .catch(() => '');
    health = await fetch(`http://127.0.0.1:${port}/healthz`)
      .then((answer) => answer.status)
      .catch(() => 0);
  }
  await working;
  expect(health).toBe(200);
  expect(text).toMatch(/slmbench_samples_total\{outcome="scored",worker="[^"]+"\} \d+/);
  expect(text).toContain('slmbench_claim_seconds_bucket');
});

test('wrong addresses and credentials are clear errors without secrets', async () => {
  const open = (url: string, environment: NodeJS.ProcessEnv = server.environment) => openSharedStore(url, { environment });
  const port = await freePort();
  await expect(open(`postgres://bench@127.0.0.1:${port}/x`)).rejects.toMatchObject({
    code: 'transport',
    message: expect.stringContaining('nothing listens'),
  });
  await expect(open('postgres://bench@no-such-host.invalid/x')).rejects.toMatchObject({ code: 'transport' });
  await expect(open(server.url('nothing'))).rejects.toMatchObject({
    code: 'not-found',
    message: expect.stringContaining('no such database'),
  });
  const wrong = open(server.url(name), { PGPASSWORD: 'secret-guess' });
  await expect(wrong).rejects.toMatchObject({ code: 'access', message: expect.stringContaining('password is wrong') });
  await expect(wrong).rejects.not.toMatchObject({ message: expect.stringContaining('secret-guess') });
  await expect(open(server.url(name), {})).rejects.toMatchObject({
    code: 'access',
    message: expect.stringContaining('asks for a password'),
    hint: expect.stringContaining('PGPASSWORD'),
  });
  await expect(open(`${server.url(name)}?sslmode=require`)).rejects.toMatchObject({
    code: 'access',
    message: expect.stringContaining('speaks no TLS'),
  });
});

test('a command whose password is refused, or missing, ends at once', async () => {
  const program = new URL('../../src/cli/main.ts', import.meta.url).href;
  const script = `const { main } = await import(${JSON.stringify(program)}); process.exitCode = await main(process.argv.slice(1));`;
  for (const [password, words] of [
    [undefined, 'asks for a password'],
    ['guess', 'the password is wrong'],
  ] as const) {
    const ended = await new Promise<{ readonly code: unknown; readonly stderr: string }>((resolve) => {
      execFile(
        process.execPath,
        ['--input-type=module', '-e', script, 'status', '--database', server.url(name)],
        { env: { ...process.env, PGPASSWORD: password }, timeout: 60_000 },
        (error, _stdout, stderr) => resolve({ code: error?.code ?? 0, stderr }),
      );
    });
    expect(ended).toEqual({ code: 1, stderr: expect.stringContaining(words) });
  }
});

test('migrations: many at once, twice, from an older version; a newer one is refused', async () => {
  const plain = (): Database => openDatabase(databaseAddress(server.url(fresh), server.environment));
  const fresh = `${name}fresh`;
  await server.createDatabase(fresh);
  const databases = Array.from({ length: 4 }, plain);
  const results = await Promise.all(databases.map((database) => migrate(database)));
  expect(results.filter(({ before }) => before === 0)).toHaveLength(1);
  expect(await migrate(databases[0]!)).toEqual({ before: migrations.length, after: migrations.length });
  const older = `${name}older`;
  await server.createDatabase(older);
  const old = openDatabase(databaseAddress(server.url(older), server.environment));
  expect(await migrate(old, 1)).toEqual({ before: 0, after: 1 });
  expect(await migrate(old)).toEqual({ before: 1, after: migrations.length });
  await old.query('insert into slmbench.schema_version (version) values ($1)', [migrations.length + 1]);
  await expect(migrate(old)).rejects.toMatchObject({ code: 'unsupported', hint: expect.stringContaining('update slmbench') });
  for (const database of [...databases, old]) await database.close();
});
