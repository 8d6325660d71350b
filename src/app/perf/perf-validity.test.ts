// Every fault that is injected turns the verdict; a clean measurement is valid.
import { expect, test } from 'vitest';
import { startHostMonitor } from '../../profiler/host-monitor.ts';
import { startLoopMonitor } from '../../profiler/loop-monitor.ts';
import { type FakeAnswer, fakeBackend } from './__fixtures__/fake-backend.ts';
import { generateLoad } from './generate-load.ts';
import type { ClientFacts, HostFacts } from './perf-schema.ts';
import { joinValidity, judgePerf, type ValidityInput } from './perf-validity.ts';
import { findSteadyWindow } from './steady-window.ts';
import { syntheticWorkload } from './workload/synthetic-workload.ts';

const client: ClientFacts = {
  cpuPercent: 5,
  loopLagMs: { p50: 0, p99: 1, max: 2 },
  sendLagP99Ms: 1,
  chunksPerSecond: 100,
  ceilingShare: 0.01,
};
const host: HostFacts = { foreignCores: 0, stealShare: 0, cores: 4, clockStepMs: 0, throttleEvents: 0 };
const mode = { kind: 'concurrency', users: 2 } as const;

async function measured(answer: (index: number) => FakeAnswer = () => ({}), requests = 40): Promise<ValidityInput> {
  const backend = fakeBackend(answer);
  const workload = await syntheticWorkload({ backend, promptTokens: 64, outputTokens: 16, seed: 1, uniquePrefix: true });
  const prepared = await workload.prepare(requests, 'test');
  const outcome = await generateLoad({
    backend,
    mode,
    requestAt: (index) => prepared[index]!,
    maxRequests: requests,
    maxDurationMs: 20_000,
    drainMs: 500,
  });
  const window = findSteadyWindow(outcome, mode);
  return {
    results: window.results,
    client,
    host,
    warmUp: { requests: 6, roundsMs: [1, 1, 1], stable: true },
    slowedDown: window.slowedDown,
    fixedLength: true,
    cacheAllowed: false,
    serverCounts: null,
    allAnswered: true,
  };
}

function codes(input: ValidityInput): string[] {
  return judgePerf(input).reasons.map((reason) => reason.code);
}

test('a clean measurement is valid', async () => {
  expect(judgePerf(await measured())).toEqual({ verdict: 'valid', reasons: [] });
});

const faults: readonly (readonly [string, (index: number) => FakeAnswer, 'suspect' | 'invalid'])[] = [
  ['cache-hits', () => ({ usage: { cachedTokens: 3 } }), 'suspect'],
  ['cache-hits', () => ({ usage: { cachedTokens: 60 } }), 'invalid'],
  ['truncated-prompts', () => ({ usage: { promptTokens: 32 } }), 'invalid'],
  ['short-outputs', () => ({ tokens: 9, finish: 'stop' }), 'suspect'],
  ['empty-outputs', () => ({ ttftMs: null, tokens: 0 }), 'invalid'],
  ['count-mismatch', () => ({ tokens: 8, chunks: 16 }), 'suspect'],
  ['estimated-counts', () => ({ usage: { source: 'chunks' } }), 'suspect'],
  ['server-clock', () => ({ prefillMs: 0.5, ttftMs: 400 }), 'suspect'],
  ['errors', (index) => (index === 20 ? { fails: 'transport' } : {}), 'suspect'],
  ['errors', (index) => (index % 3 === 0 ? { fails: 'backend' } : {}), 'invalid'],
  ['throttled', (index) => ({ gapMs: index < 30 ? 10 : 25 }), 'suspect'],
];

test.each(faults)('injected fault: %s', async (code, answer, verdict) => {
  const input = await measured(answer);
  expect(codes(input)).toContain(code);
  expect(judgePerf(input).verdict).toBe(verdict);
});

test('all requests failing is invalid, not a crash', async () => {
  const input = await measured(() => ({ fails: 'timeout' }));
  expect(judgePerf(input).verdict).toBe('invalid');
  expect(codes(input)).toContain('errors');
});

test('too few answers', async () => {
  expect(judgePerf(await measured(() => ({}), 12))).toMatchObject({ verdict: 'suspect', reasons: [{ code: 'few-samples' }] });
  expect(judgePerf({ ...(await measured(() => ({}), 4)) }).verdict).toBe('invalid');
});

test('faults of client, host, clock and warm-up', async () => {
  const clean = await measured();
  expect(codes({ ...clean, client: { ...client, cpuPercent: 95 } })).toEqual(['client-saturated']);
  expect(codes({ ...clean, client: { ...client, loopLagMs: { p50: 5, p99: 60, max: 90 } } })).toEqual(['client-saturated']);
  expect(codes({ ...clean, client: { ...client, sendLagP99Ms: 80 } })).toEqual(['client-saturated']);
  expect(codes({ ...clean, client: { ...client, ceilingShare: 0.7 } })).toEqual(['client-saturated']);
  expect(codes({ ...clean, host: { ...host, foreignCores: 1.5 } })).toEqual(['host-contended']);
  expect(codes({ ...clean, host: { ...host, stealShare: 0.1 } })).toEqual(['host-contended']);
  expect(codes({ ...clean, host: { ...host, throttleEvents: 3 } })).toEqual(['throttled']);
  expect(codes({ ...clean, host: { ...host, clockStepMs: -3_600_000 } })).toEqual(['clock-step']);
  expect(codes({ ...clean, warmUp: { requests: 9, roundsMs: [9, 5, 3], stable: false } })).toEqual(['unstable-warm-up']);
  expect(codes({ ...clean, warmUp: { requests: 2, roundsMs: [9, 5], stable: false } })).toEqual([]);
});

test('counters of the server that contradict what arrived', async () => {
  const clean = await measured();
  const arrived = { promptTokens: 2560, generatedTokens: 640, requests: 40 };
  const counted = (server: Partial<typeof arrived>, allAnswered = true): ValidityInput => ({
    ...clean,
    allAnswered,
    serverCounts: { server: { ...arrived, ...server }, client: arrived },
  });
  expect(judgePerf(counted({}))).toEqual({ verdict: 'valid', reasons: [] });
  // Within two in a hundred: another way to count the first or last token.
  expect(codes(counted({ generatedTokens: 648 }))).toEqual([]);
  expect(codes(counted({ generatedTokens: 600 }))).toEqual(['count-mismatch']);
  expect(codes(counted({ promptTokens: 1280 }))).toEqual(['count-mismatch']);
  expect(codes(counted({ requests: 55, generatedTokens: 900 }))).toEqual(['count-mismatch']);
  expect(judgePerf(counted({ generatedTokens: 600 })).reasons[0]!.message).toContain('600 generated tokens where 640 arrived here');
  // Of answers that broke off here the server had counted a part.
  expect(codes(counted({ requests: 45, generatedTokens: 700 }, false))).toEqual([]);
  expect(codes(counted({ generatedTokens: 500 }, false))).toEqual(['count-mismatch']);
  const unknown = { promptTokens: null, generatedTokens: null, requests: null };
  expect(codes({ ...clean, serverCounts: { server: unknown, client: arrived } })).toEqual([]);
});

test('caching is no fault when it is the subject', async () => {
  expect(judgePerf({ ...(await measured(() => ({ usage: { cachedTokens: 60 } }))), cacheAllowed: true }).verdict).toBe('valid');
});

test('the host monitor sees a step of the wall clock, the loop monitor a blocked loop (L07)', async () => {
  let wall = 1_000_000;
  const monitor = startHostMonitor({ wallMs: () => wall, monotonicMs: () => 500 });
  wall -= 3_600_000;
  expect(monitor.stop().clockStepMs).toBe(-3_600_000);
  const loop = startLoopMonitor();
  await new Promise((resolve) => setTimeout(resolve, 30));
  for (const end = performance.now() + 150; performance.now() < end; );
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(loop.stop().lagMs.max).toBeGreaterThan(80);
});

test('joined verdicts keep the worst', () => {
  expect(
    joinValidity([
      { verdict: 'valid', reasons: [] },
      { verdict: 'suspect', reasons: [{ code: 'a', message: 'x' }] },
    ]).verdict,
  ).toBe('suspect');
  expect(joinValidity([])).toEqual({ verdict: 'valid', reasons: [] });
});
