import { expect, test } from 'vitest';
import { defaultGenerationSettings } from '../../core/generation.ts';
import { fakeBackend } from './__fixtures__/fake-backend.ts';
import { generateLoad, type LoadPhase, type LoadRequest } from './generate-load.ts';
import { arrivalTimes } from './load-mode.ts';
import { defaultRatings } from './ratings.ts';
import { requestMetrics } from './request-metrics.ts';

const requestAt = (index: number): LoadRequest => ({
  request: { prompt: { kind: 'text', text: `prompt ${index}` }, settings: { ...defaultGenerationSettings, maxTokens: 4 } },
  promptDigest: String(index),
  expectedPromptTokens: null,
});

function phase(changes: Partial<LoadPhase>): LoadPhase {
  return {
    backend: fakeBackend(),
    mode: { kind: 'concurrency', users: 1 },
    requestAt,
    maxRequests: 20,
    maxDurationMs: 10_000,
    drainMs: 1000,
    ...changes,
  };
}

test('a closed loop keeps exactly so many requests in flight and sends each once', async () => {
  const backend = fakeBackend(() => ({ takesMs: 5 }));
  const { log, rampedMs } = await generateLoad(phase({ backend, mode: { kind: 'concurrency', users: 4 }, maxRequests: 25 }));
  expect(backend.mostInFlight()).toBe(4);
  expect(
    log
      .results()
      .map((result) => result.index)
      .sort((a, b) => a - b),
  ).toEqual(Array.from({ length: 25 }, (_, index) => index));
  expect(rampedMs).toBeGreaterThan(0);
});

test('an open loop sends on time whatever the server does, and the wait of a capped one counts from the schedule', async () => {
  const slow = () => fakeBackend(() => ({ takesMs: 60, ttftMs: 50, tokens: 1 }));
  const mode = { kind: 'constant', requestsPerSecond: 100 } as const;
  const free = await generateLoad(phase({ backend: slow(), mode, maxRequests: 12 }));
  const lag = free.log.results().map((result) => result.sentMs - result.scheduledMs);
  expect(Math.max(...lag)).toBeLessThan(60);
  const capped = await generateLoad(phase({ backend: slow(), mode, maxRequests: 12, maxInFlight: 1 }));
  const metrics = requestMetrics(capped.log.results(), defaultRatings);
  expect(metrics['ttft']!.p95).toBe(50);
  expect(metrics['ttftFromSchedule']!.p95!).toBeGreaterThan(300);
});

test('Poisson arrivals depend on the seed only and keep their rate', () => {
  const mode = { kind: 'poisson', requestsPerSecond: 50, seed: 7 } as const;
  const times = arrivalTimes(mode, 5000)!;
  expect([...arrivalTimes(mode, 5000)!]).toEqual([...times]);
  expect(arrivalTimes({ ...mode, seed: 8 }, 5)![0]).not.toBe(times[0]);
  expect(5000 / (times[4999]! / 1000)).toBeGreaterThan(47);
  expect(5000 / (times[4999]! / 1000)).toBeLessThan(53);
});

test('nothing is sent after the time limit, and what hangs is cancelled after the drain time', async () => {
  const backend = fakeBackend((index) => ({ takesMs: index === 3 ? 60_000 : 10 }));
  const startMs = performance.now();
  const { log } = await generateLoad(phase({ backend, maxRequests: 1000, maxDurationMs: 100, drainMs: 150 }));
  expect(performance.now() - startMs).toBeLessThan(2000);
  expect(log.results().at(-1)!.error).toMatchObject({ class: 'cancelled' });
});

test('failures are kept apart by class and never enter a latency (L04)', async () => {
  const backend = fakeBackend((index) => (index % 2 === 0 ? { fails: 'timeout' } : { ttftMs: 1000 + index, tokens: 1 }));
  const { log } = await generateLoad(phase({ backend, maxRequests: 8 }));
  const metrics = requestMetrics(log.results(), defaultRatings);
  expect(metrics['ttft']).toMatchObject({ n: 4, p50: 1004, missing: 0 });
  expect(metrics['e2eWithFailures']).toMatchObject({ n: 8, p95: null });
});

test('an abort ends the phase at once', async () => {
  const controller = new AbortController();
  setTimeout(() => controller.abort(), 30);
  const backend = fakeBackend(() => ({ takesMs: 5000 }));
  const { log } = await generateLoad(phase({ backend, mode: { kind: 'concurrency', users: 3 }, signal: controller.signal }));
  expect(log.results().every((result) => result.error?.class === 'cancelled')).toBe(true);
});
