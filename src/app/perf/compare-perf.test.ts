import { expect, test } from 'vitest';
import { createRandom } from '../../stats/random.ts';
import { type ComparedMetric, comparePerf, type MetricSeries } from './compare-perf.ts';

/** Log-normal latencies: prompts differ, runs drift a little, requests vary. */
function series(seed: number, stream: string, factor: number, requests = 60): MetricSeries {
  const prompts = createRandom(seed, 'prompts');
  const sizes = Array.from({ length: requests }, () => prompts.normal());
  const random = createRandom(seed, stream);
  return [sizes.map((size, index) => ({ prompt: String(index), value: factor * 200 * Math.exp(0.3 * size + 0.1 * random.normal()) }))];
}

function compared(seed: number, factor: number, requests?: number): ComparedMetric {
  return { metric: 'ttft', unit: 'ms', better: 'lower', a: series(seed, 'a', 1, requests), b: series(seed, 'b', factor, requests) };
}

/** One answer in ten stalls: the differences have two humps and long tails. */
function stalling(seed: number, stream: string): MetricSeries {
  const random = createRandom(seed, `${stream}-stalls`);
  return series(seed, stream, 1).map((run) => run.map(({ prompt, value }) => ({ prompt, value: random.next() < 0.1 ? value * 4 : value })));
}

const nothingChanged: readonly (readonly [string, (seed: number) => ComparedMetric[]])[] = [
  ['the same prompts', (seed) => [compared(seed, 1)]],
  ['the same prompts, one answer in ten stalls', (seed) => [{ ...compared(seed, 1), a: stalling(seed, 'a'), b: stalling(seed, 'b') }]],
  ['three metrics at once', (seed) => [0, 1, 2].map((metric) => ({ ...compared(seed + 10_000 * metric, 1), metric: String(metric) }))],
];

// Sides with other prompts are bootstrapped, which takes longer: test/system/perf-false-alarms.test.ts.
test.each(nothingChanged)('A/A, %s: at most 6.5 % false alarms in 2,000 comparisons', (_, make) => {
  let alarms = 0;
  for (let seed = 0; seed < 2000; seed++) {
    const results = comparePerf(make(seed), { seed, margin: 0.001 });
    if (results.some(({ verdict }) => verdict === 'better' || verdict === 'worse')) alarms++;
  }
  expect(alarms / 2000).toBeLessThanOrEqual(0.065);
  // A test that never speaks would pass as well.
  expect(alarms).toBeGreaterThan(20);
});

/** The size that a first comparison of two equal sides names for a change of 5 %. */
function advertised(metricCount: number): number {
  const sizes = Array.from({ length: 101 }, (_, seed) => {
    const metrics = Array.from({ length: metricCount }, () => compared(50_000 + seed, 1));
    return comparePerf(metrics, { seed, margin: 0.05 })[0]!.neededForMargin!;
  });
  return sizes.sort((a, b) => a - b)[50]!;
}

test.each([1, 3])('with %i metrics, 5 % more TTFT is found with a power of at least 0.9 at the advertised size', (metricCount) => {
  const size = advertised(metricCount);
  // sd of a paired log difference is 0.1 * sqrt(2): the formula for means gives 90 for one metric.
  expect(size).toBeGreaterThan(80);
  expect(size).toBeLessThan(180);
  let found = 0;
  for (let seed = 0; seed < 1000; seed++) {
    const others = Array.from({ length: metricCount - 1 }, (_, metric) => compared(seed + 10_000 * (metric + 1), 1, size));
    const [result] = comparePerf([compared(seed, 1.05, size), ...others], { seed, margin: 0.001 });
    if (result!.verdict === 'worse') found++;
  }
  expect(found / 1000).toBeGreaterThanOrEqual(0.9);
});

test('what so many measurements can show is told', () => {
  const [small, large] = [20, 200].map((requests) => comparePerf([compared(3, 1, requests)], { seed: 1 })[0]!);
  expect(small!.minimumDetectable!).toBeGreaterThan(large!.minimumDetectable!);
  expect(large!.neededForMargin!).toBeLessThanOrEqual(200);
  expect(comparePerf([{ ...compared(3, 1), a: [], b: [] }], { seed: 1 })[0]!).toMatchObject({
    minimumDetectable: null,
    neededForMargin: null,
  });
});

test('words: better, worse, within the margin, no change seen, not enough data', () => {
  const verdict = (factor: number, requests = 100, margin = 0.05) =>
    comparePerf([compared(5, factor, requests)], { seed: 1, margin })[0]!.verdict;
  expect(verdict(0.7)).toBe('better');
  expect(verdict(1.4)).toBe('worse');
  expect(verdict(1.001)).toBe('equivalent');
  expect(verdict(1, 12, 0.001)).toBe('no change seen');
  expect(verdict(2, 5)).toBe('not enough data');
});

test('other prompts are compared unpaired, and a ratio has its interval', () => {
  const a = series(1, 'a', 1);
  const b = series(2, 'b', 1.5).map((run) => run.map((entry) => ({ ...entry, prompt: `other ${entry.prompt}` })));
  const [result] = comparePerf([{ metric: 'e2e', unit: 'ms', better: 'lower', a, b }], { seed: 3 });
  expect(result).toMatchObject({ design: 'unpaired', verdict: 'worse' });
  expect(result!.interval!.low).toBeLessThan(result!.ratio!);
});

test('no values at all give no claim', () => {
  expect(comparePerf([{ metric: 'ttft', unit: 'ms', better: 'lower', a: [], b: [] }], { seed: 1 })[0]).toMatchObject({
    ratio: null,
    verdict: 'not enough data',
    n: 0,
  });
});
