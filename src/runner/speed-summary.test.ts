import { expect, test } from 'vitest';
import { noTiming, noUsage, type Timing, type Usage } from '../core/generation.ts';
import { scored } from '../core/outcome.ts';
import type { PredictionRow } from '../core/prediction.ts';
import type { ResourceSummary } from '../core/record.ts';
import { combineResources } from './combine-resources.ts';
import { rowOfError } from './make-row.ts';
import { speedAccumulator } from './speed-summary.ts';

const failed = rowOfError({ model: 'm', task: 't', id: 'i', repeat: 0 }, 'timeout', 'slow');
function answered(timing: Partial<Timing>, usage: Partial<Usage> = {}, origin: PredictionRow['origin'] = 'fresh'): PredictionRow {
  return { ...failed, outcome: scored, origin, timing: { ...noTiming, ...timing }, usage: { ...noUsage, source: 'engine', ...usage } };
}
function speedOf(...rows: readonly PredictionRow[]): ReturnType<ReturnType<typeof speedAccumulator>['finish']> {
  const speed = speedAccumulator();
  for (const row of rows) speed.add(row);
  return speed.finish([]);
}

test('percentiles rest on answered requests of this run only', () => {
  const answers = [1000, 1100, 1200, 1300].map((totalMs) => answered({ totalMs }));
  const others = [5, 5, 5, 30_000].map((totalMs) => ({ ...failed, timing: { ...noTiming, totalMs } }));
  const speed = speedOf(...answers, ...others, answered({ totalMs: 1 }, {}, 'cached'));
  expect(speed).toMatchObject({ n: 4, latencyMs: { n: 4, p50: 1150, p95: 1285 } });
  expect(speedOf(...others)).toMatchObject({ n: 0, latencyMs: { p50: null }, samplesPerSecond: null });
});

test('rates are tokens over time, reused prompt tokens and guessed counts left out, never divided by nothing', () => {
  expect(speedOf(answered({ prefillMs: 100 }, { promptTokens: 40, cachedTokens: 32 })).prefillTokensPerSecond).toBe(80);
  expect(speedOf(answered({ decodeMs: 0 }, { completionTokens: 1 })).decodeTokensPerSecond).toBeNull();
  const twice = speedOf(answered({ decodeMs: 1000 }, { completionTokens: 10 }), answered({ decodeMs: 3000 }, { completionTokens: 10 }));
  expect(twice.decodeTokensPerSecond).toBe(5);
  expect(speedOf(answered({ ttftMs: 100, totalMs: 1100 }, { completionTokens: 11 })).decodeTokensPerSecond).toBe(10);
  expect(speedOf(answered({ decodeMs: 10 }, { completionTokens: 10, source: 'chunks' })).decodeTokensPerSecond).toBeNull();
  expect(speedOf(answered({ prefillMs: 100 }, { promptTokens: 400, computedTokens: 50 })).prefillTokensPerSecond).toBe(500);
});

test('samples per second is all answers over all measured time', () => {
  const session = { model: 'm', task: 't', startedAt: '', finishedAt: '', concurrency: 2, resources: null };
  const speed = speedAccumulator().finish([
    { ...session, measuredMs: 1000, freshAnswers: 10 },
    { ...session, measuredMs: 3000, freshAnswers: 10 },
    { ...session, measuredMs: null, freshAnswers: 0, concurrency: null },
  ]);
  expect(speed).toMatchObject({ samplesPerSecond: 5, concurrency: 2 });
});

test('resources of several stretches: highest peaks, means by samples, energy only when each stretch has it', () => {
  const part = (change: Partial<ResourceSummary>): ResourceSummary => ({
    samples: 10,
    intervalMs: 100,
    idleRssBytes: 500,
    meanRssBytes: 1000,
    peakRssBytes: 2500,
    kernelPeakRssBytes: null,
    meanCpuPercent: 100,
    peakCpuPercent: 120,
    peakGpuMemoryBytes: null,
    meanGpuUtilisationPercent: null,
    energyJoules: 5,
    energySource: 'rapl',
    overheadCpuPercent: 0.5,
    ...change,
  });
  expect(combineResources([null, null])).toBeNull();
  expect(combineResources([part({}), null, part({ samples: 30, meanRssBytes: 2000, peakRssBytes: 2000, energyJoules: 7 })])).toMatchObject({
    samples: 40,
    idleRssBytes: 500,
    meanRssBytes: 1750,
    peakRssBytes: 2500,
    kernelPeakRssBytes: null,
    energyJoules: 12,
  });
  expect(combineResources([part({}), part({ energyJoules: null })])!.energyJoules).toBeNull();
});
