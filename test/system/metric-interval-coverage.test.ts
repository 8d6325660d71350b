// Seeded simulations of the bootstrap behind F1 intervals and differences: heavier than unit tests should be.
import { expect, test } from 'vitest';
import type { PredictionRow } from '../../src/core/prediction.ts';
import { computeMetrics } from '../../src/metrics/compute-metrics.ts';
import { selectMetricValue } from '../../src/metrics/metric-value.ts';
import { comparePairedClassification } from '../../src/metrics/paired-classification.ts';
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

test('models that are equally good differ significantly in F1 in at most 6.5 % of comparisons', () => {
  const labels = ['a', 'b', 'c'];
  const random = createRandom(12, 'paired-f1');
  const side = (): PredictionRow[] =>
    Array.from({ length: 200 }, (_, index) => {
      const label = labels[index % 3]!;
      return predictionRow({ id: `${index}`, label, prediction: random.next() < 0.6 ? label : labels[random.below(3)]! });
    });
  const rounds = 400;
  let alarms = 0;
  for (let round = 0; round < rounds; round++) {
    const [one] = comparePairedClassification(side(), side(), { labels, seed: round });
    if (one!.interval!.low > 0 || one!.interval!.high < 0) alarms++;
  }
  expect(alarms / rounds).toBeLessThanOrEqual(0.065);
});
