// Seeded simulation of the cluster bootstrap behind F1 intervals: heavier than a unit test should be.
import { expect, test } from 'vitest';
import type { PredictionRow } from '../../src/core/prediction.ts';
import { computeMetrics } from '../../src/metrics/compute-metrics.ts';
import { selectMetricValue } from '../../src/metrics/metric-value.ts';
import { predictionRow } from '../../src/metrics/prediction-row.ts';
import { createRandom } from '../../src/stats/random.ts';

test('macro F1 of rows in passages covers the truth', () => {
  // A passage is right in 95 % or 65 % of its rows; classes are even, so each class has precision = recall = 0.8.
  const random = createRandom(99, 'metric-coverage');
  const rounds = 500;
  let covered = 0;
  for (let round = 0; round < rounds; round++) {
    const rows: PredictionRow[] = [];
    for (let passage = 0; passage < 60; passage++) {
      const right = random.next() < 0.5 ? 0.95 : 0.65;
      for (let item = 0; item < 4; item++) {
        const label = random.next() < 0.5 ? 'a' : 'b';
        const prediction = random.next() < right ? label : label === 'a' ? 'b' : 'a';
        rows.push(predictionRow({ id: `${passage}.${item}`, cluster: `${passage}`, label, prediction }));
      }
    }
    const { values } = computeMetrics(rows, [{ name: 'f1' }], { seed: random.uint32(), labels: ['a', 'b'] });
    const interval = selectMetricValue(values, 'f1:macro')!.interval!;
    if (interval.low <= 0.8 && 0.8 <= interval.high) covered++;
  }
  expect(covered / rounds).toBeGreaterThanOrEqual(0.925);
  expect(covered / rounds).toBeLessThanOrEqual(0.975);
});
