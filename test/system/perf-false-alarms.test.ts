// False alarms of performance comparisons whose sides have other prompts: their intervals are bootstrapped over repetitions.
import { expect, test } from 'vitest';
import { comparePerf, type MetricSeries } from '../../src/app/perf/compare-perf.ts';
import { createRandom } from '../../src/stats/random.ts';

/** Three repetitions of log-normal latencies, each a little faster or slower as a whole. */
function side(seed: number, stream: string, drift: number): MetricSeries {
  const random = createRandom(seed, stream);
  return [0, 1, 2].map((run) => {
    const level = 200 * Math.exp(drift * random.normal());
    return Array.from({ length: 25 }, (_, index) => ({
      prompt: `${stream}${run}.${index}`,
      value: level * Math.exp(0.3 * random.normal()),
    }));
  });
}

test.each([0, 0.02])('A/A with other prompts, repetitions that differ by %f: at most 6.5 % false alarms in 2,000', (drift) => {
  let alarms = 0;
  for (let seed = 0; seed < 2000; seed++) {
    const metric = { metric: 'ttft', unit: 'ms', better: 'lower', a: side(seed, 'a', drift), b: side(seed, 'b', drift) } as const;
    const [result] = comparePerf([metric], { seed, margin: 0.001, resamples: 200 });
    if (result!.design !== 'unpaired') throw new Error('the sides share prompts');
    if (result!.verdict === 'better' || result!.verdict === 'worse') alarms++;
  }
  expect(alarms / 2000).toBeLessThanOrEqual(0.065);
  // A test that never speaks would pass as well.
  expect(alarms).toBeGreaterThan(20);
});
