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

test('A/A: at most 6.5 % false alarms in 2,000 comparisons', () => {
  let alarms = 0;
  for (let seed = 0; seed < 2000; seed++) {
    const [result] = comparePerf([compared(seed, 1)], { seed, margin: 0.001 });
    if (result!.verdict === 'better' || result!.verdict === 'worse') alarms++;
  }
  expect(alarms / 2000).toBeLessThanOrEqual(0.065);
});

test('+5 % is found with a power of at least 0.9 at the size that is advertised for it', () => {
  // sd of a paired log difference is 0.1 * sqrt(2): 90 requests show 5 % with 90 % power.
  let found = 0;
  for (let seed = 0; seed < 300; seed++) {
    const [result] = comparePerf([compared(seed, 1.05, 100)], { seed, margin: 0.001 });
    if (result!.verdict === 'worse') found++;
    expect(result!.minimumDetectable!).toBeLessThan(0.06);
  }
  expect(found / 300).toBeGreaterThanOrEqual(0.9);
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
