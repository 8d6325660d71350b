// `perf` on real engines: the toy model always, SmolLM2 and a real llama-server where they are at hand; runs, records, exit codes.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareInterleaved } from '../../src/app/perf/compare-interleaved.ts';
import { compareSubjects, subjectsOf } from '../../src/app/perf/compare-perf-runs.ts';
import { startMockServer } from '../../src/app/perf/mock/start-mock-server.ts';
import type { PerfRequest } from '../../src/app/perf/perf-request.ts';
import { defaultRatings } from '../../src/app/perf/ratings.ts';
import { readPerfRun } from '../../src/app/perf/read-perf-run.ts';
import { runPerf } from '../../src/app/perf/run-perf.ts';
import { parseSlo } from '../../src/app/perf/slo.ts';
import { verify } from '../../src/app/verify.ts';
import { openWorkspace } from '../../src/app/workspace.ts';
import { runRecordSchema } from '../../src/core/record.ts';
import { renderPerfTerminal } from '../../src/report/perf/render-perf-terminal.ts';
import { findLlamaServer, type RunningServer, startLlamaServer } from '../servers/llama-server.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'slmbench-perf-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hooks = { listener: () => {} };

function request(changes: Partial<PerfRequest> = {}): PerfRequest {
  return {
    models: ['toy'],
    adapters: [],
    loads: [{ kind: 'concurrency', users: 1 }],
    search: null,
    workload: { kind: 'synthetic', promptTokens: 48, outputTokens: 12 },
    slo: null,
    ratings: defaultRatings,
    requests: 32,
    maxDurationMs: 30_000,
    repetitions: 1,
    warmUpRounds: 4,
    maxInFlight: null,
    cacheAllowed: false,
    engine: null,
    seed: 1,
    threads: 1,
    gpuLayers: null,
    context: null,
    requestTimeoutMs: 60_000,
    profile: true,
    profileIntervalMs: 100,
    name: null,
    output: folder,
    offline: true,
    commandLine: 'slmbench perf',
    ...changes,
  };
}

test('one and several users, paced load and engine speed of the embedded engine, in a run that other verbs read', async () => {
  const result = await runPerf(
    request({
      loads: [
        { kind: 'concurrency', users: 1 },
        { kind: 'concurrency', users: 4 },
        { kind: 'poisson', requestsPerSecond: 20, seed: 3 },
      ],
      slo: parseSlo('ttft=20s,e2e=60s,p=90'),
      engine: { promptTokens: 64, generatedTokens: 8, depths: [0, 128], repetitions: 2, threads: [], batches: [32], maxFillMs: 60_000 },
    }),
    hooks,
  );
  const subject = result.performance.subjects[0]!;
  expect(result.exitCode).toBe(0);
  expect(subject.points.map((point) => point.label)).toEqual(['1 user', '4 users', '20 req/s Poisson']);
  for (const point of subject.points) {
    expect(point.requests.failed).toBe(0);
    expect(point.metrics['outputTokens']).toMatchObject({ min: 12, max: 12 });
    expect(point.metrics['promptTokens']).toMatchObject({ min: 48, max: 48 });
    expect(point.rates['cachedPromptShare']!.value!).toBeLessThanOrEqual(0.05);
    expect(point.metrics['ttft']!.p50!).toBeGreaterThan(0);
    expect(point.metrics['tpot']!.n).toBeGreaterThan(0);
    expect(point.rates['outputRate']!.value!).toBeGreaterThan(0);
    expect(point.slo!.attained).toBe(true);
    expect(point.resources!.peakRssBytes!).toBeGreaterThan(20e6);
  }
  expect(subject.engine.map((row) => `${row.test}@${row.depth}/${row.batch}`)).toEqual([
    'pp64@0/512',
    'tg8@0/512',
    'pp64@128/512',
    'tg8@128/512',
    'pp64@0/32',
    'tg8@0/32',
  ]);
  runRecordSchema.parse(JSON.parse(readFileSync(join(result.folder, 'record.json'), 'utf8')));
  const lines = readFileSync(join(result.folder, 'requests.jsonl'), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(96);
  expect(renderPerfTerminal(result.performance, { width: 240, bold: (text) => text, dim: (text) => text })).toContain('20 req/s Poisson');
  expect(readFileSync(join(result.folder, 'report.md'), 'utf8')).toContain('## Under load');
});

test('the same prompts in two runs are compared in pairs; different loads are refused', async () => {
  const [a, b] = [await runPerf(request(), hooks), await runPerf(request(), hooks)];
  const workspace = await openWorkspace({ output: folder, offline: true });
  const [runA, runB] = [await readPerfRun(a.folder, workspace), await readPerfRun(b.folder, workspace)];
  const [comparison] = compareSubjects(subjectsOf(runA)[0]!, subjectsOf(runB)[0]!, { seed: 1 });
  expect(comparison!.metrics.map((metric) => metric.design)).toEqual(['paired', 'paired', 'paired']);
  expect(comparison!.warnings.join()).not.toContain('workloads differ');
  const other = await runPerf(request({ loads: [{ kind: 'concurrency', users: 2 }] }), hooks);
  const runC = await readPerfRun(other.folder, workspace);
  expect(() => compareSubjects(subjectsOf(runA)[0]!, subjectsOf(runC)[0]!, { seed: 1 })).toThrow(expect.objectContaining({ code: 'data' }));
});

test('every figure is recomputed from the requests, and a changed request or figure shows', async () => {
  const result = await runPerf(request({ loads: [{ kind: 'concurrency', users: 2 }], repetitions: 2, slo: parseSlo('e2e=60s') }), hooks);
  const workspace = await openWorkspace({ output: folder, offline: true });
  expect(await verify(result.folder, workspace)).toMatchObject({ differences: [], results: 1 });
  const [requests, recordFile] = ['requests.jsonl', 'record.json'].map((name) => join(result.folder, name));
  const text = readFileSync(requests!, 'utf8');
  writeFileSync(requests!, text.replaceAll(/"e2eMs":[\d.]+/g, '"e2eMs":1'));
  const paths = (await verify(result.folder, workspace)).differences.map(({ path }) => path);
  expect(paths).toContain('artifacts.requests.jsonl');
  expect(paths.join()).toContain('points[0].metrics.e2e.mean');
  writeFileSync(requests!, text);
  const record = readFileSync(recordFile!, 'utf8');
  writeFileSync(recordFile!, record.replace(/("outputRate": \{\s*"value": )[\d.]+/, '$1999'));
  expect((await verify(result.folder, workspace)).differences).toEqual([
    { path: 'performance.subjects[0].points[0].rates.outputRate.value', recorded: 999, recomputed: expect.any(Number) },
  ]);
});

test('A B B A: four blocks, one comparison', async () => {
  const { result, comparison } = await compareInterleaved(request({ models: ['toy', 'toy:context'], requests: 20 }), hooks, { seed: 1 });
  expect(result.performance.subjects.map((subject) => subject.model)).toEqual([
    'toy [block 1]',
    'toy:context [block 2]',
    'toy:context [block 3]',
    'toy [block 4]',
  ]);
  expect(comparison[0]).toMatchObject({ a: 'toy', b: 'toy:context' });
  expect(comparison[0]!.metrics[0]!.n).toBeGreaterThanOrEqual(18);
});

test('the capacity under an objective is searched; an objective that cannot be met gives exit code 3', async () => {
  const search = { over: 'users', start: 1, max: 4 } as const;
  const loose = await runPerf(request({ loads: [], search, slo: parseSlo('e2e=60s'), requests: 24, warmUpRounds: 1 }), hooks);
  expect(loose.performance.subjects[0]!.sloCapacity).toMatchObject({ label: '4 users' });
  const strict = await runPerf(request({ loads: [], search, slo: parseSlo('ttft=1us'), requests: 8, warmUpRounds: 1 }), hooks);
  expect(strict.performance.subjects[0]!.sloCapacity).toBeNull();
  expect(strict.exitCode).toBe(3);
});

test('a trace is replayed at its own times', async () => {
  const path = join(folder, 'trace.jsonl');
  writeFileSync(
    path,
    Array.from({ length: 10 }, (_, index) =>
      JSON.stringify({ timestamp: index * 60, input_length: 20 + index, output_length: 4 + index }),
    ).join('\n'),
  );
  const result = await runPerf(request({ workload: { kind: 'trace', path, speed: 1 } }), hooks);
  const [point] = result.performance.subjects[0]!.points;
  expect(point!.requests.sent).toBe(10);
  expect(point!.metrics['outputTokens']).toMatchObject({ min: 4, max: 13 });
  expect(point!.metrics['promptTokens']).toMatchObject({ min: 20, max: 29 });
});

test('every request failing is exit code 1 with a reason, not figures (K01)', async () => {
  const script = join(folder, 'failing.jsonl');
  writeFileSync(script, `${JSON.stringify({ fail: { code: 'backend', message: 'no key' } })}\n`);
  const result = await runPerf(request({ models: [`scripted:${script}`], requests: 6 }), hooks);
  expect(result.exitCode).toBe(1);
  const [point] = result.performance.subjects[0]!.points;
  expect(point!.validity.verdict).toBe('invalid');
  expect(point!.metrics['ttft']).toMatchObject({ n: 0, p50: null });
  expect(JSON.stringify(result.record)).not.toContain('NaN');
});

test('real faults turn the verdict: other programs on every core, and a client that is itself the limit', async () => {
  const busy = Array.from({ length: availableParallelism() }, () => spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }));
  try {
    const [point] = (await runPerf(request({ requests: 24, warmUpRounds: 1 }), hooks)).performance.subjects[0]!.points;
    expect(point!.host.foreignCores!).toBeGreaterThan(0.3);
    expect(point!.validity.reasons.map((reason) => reason.code)).toContain('host-contended');
  } finally {
    for (const child of busy) child.kill('SIGKILL');
  }
  const mock = await startMockServer();
  try {
    await mock.shape({ chunks: 64, firstMs: 0, gapMs: 0 });
    const result = await runPerf(
      request({
        models: [`openai:mock@${mock.url}`],
        loads: [{ kind: 'concurrency', users: 64 }],
        workload: { kind: 'text', name: 'questions', outputTokens: 64, fixedLength: false },
        requests: 3000,
        warmUpRounds: 0,
        offline: false,
      }),
      hooks,
    );
    const [point] = result.performance.subjects[0]!.points;
    expect(point!.requests.failed).toBe(0);
    expect(point!.validity.reasons.map((reason) => reason.code)).toContain('client-saturated');
    expect(point!.validity.verdict).not.toBe('valid');
  } finally {
    await mock.close();
  }
});

const program = findLlamaServer();
describe.skipIf(program === null)('a real llama-server', () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startLlamaServer(program!);
  });
  afterAll(() => server?.stop());

  test('exact answer lengths, no cached prompts, times that agree with the server, memory of its process', async () => {
    const result = await runPerf(
      request({
        models: [`openai:${server.model}@${server.url}/v1`],
        workload: { kind: 'synthetic', promptTokens: 96, outputTokens: 10 },
        requests: 8,
        warmUpRounds: 1,
        offline: false,
      }),
      hooks,
    );
    const [point] = result.performance.subjects[0]!.points;
    expect(point!.requests).toMatchObject({ sent: 8, failed: 0, empty: 0 });
    expect(point!.metrics['outputTokens']).toMatchObject({ min: 10, max: 10 });
    expect(Math.abs(point!.metrics['promptTokens']!.p50! - 96)).toBeLessThanOrEqual(4);
    expect(point!.rates['cachedPromptShare']!.value ?? 0).toBe(0);
    expect(point!.resources!.peakRssBytes!).toBeGreaterThan(90e6);
    expect(point!.validity.reasons.map((reason) => reason.code)).not.toContain('truncated-prompts');
    // The server's own counters (llama-server counts no requests) against what arrived.
    expect(point!.serverCounts!.server).toEqual({ ...point!.serverCounts!.client, requests: null });
    expect(point!.serverCounts!.client).toMatchObject({ generatedTokens: 80, requests: 8 });
    expect(point!.validity.reasons.map((reason) => reason.code)).not.toContain('count-mismatch');
    expect(readFileSync(join(result.folder, 'report.md'), 'utf8')).toContain('80 generated tokens (80 arrived here)');
  });

  test('another client on the same server shows in its counters', async () => {
    const stranger = fetch(`${server.url}/v1/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ prompt: 'Once upon a time', max_tokens: 60, ignore_eos: true }),
    });
    const result = await runPerf(
      request({
        models: [`openai:${server.model}@${server.url}/v1`],
        workload: { kind: 'synthetic', promptTokens: 32, outputTokens: 12 },
        requests: 10,
        warmUpRounds: 0,
        offline: false,
      }),
      hooks,
    );
    await (await stranger).json();
    const [point] = result.performance.subjects[0]!.points;
    expect(point!.serverCounts!.server.generatedTokens!).toBeGreaterThan(point!.serverCounts!.client.generatedTokens!);
    expect(point!.validity.reasons.map((reason) => reason.code)).toContain('count-mismatch');
    expect(point!.validity.verdict).not.toBe('valid');
  });
});
