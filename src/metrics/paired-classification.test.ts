// Differences in F1 between two models: size, direction, and no alarm where there is nothing.
import { describe, expect, test } from 'vitest';
import type { PredictionRow } from '../core/prediction.ts';
import { createRandom } from '../stats/random.ts';
import { comparePairedClassification } from './paired-classification.ts';
import { predictionRow } from './prediction-row.ts';

const labels = ['a', 'b', 'c'];

function model(stream: string, right: number, n = 300, more: Partial<PredictionRow> = {}): PredictionRow[] {
  const random = createRandom(5, stream);
  return Array.from({ length: n }, (_, index) => {
    const label = labels[index % 3]!;
    const prediction = random.next() < right ? label : labels[random.below(3)]!;
    return predictionRow({ id: `${index}`, label, prediction, ...more });
  });
}

describe('paired difference of classification scores', () => {
  test('a better model is better, in any order of rows', () => {
    const options = { labels, seed: 1, scores: ['f1:macro', 'accuracy', 'mcc'] };
    const result = comparePairedClassification(model('x', 0.6), model('y', 0.85).reverse(), options);
    for (const one of result) {
      expect(one.n).toBe(300);
      expect(one.interval!.low).toBeGreaterThan(0);
      expect(one.difference!).toBeGreaterThan(one.interval!.low);
      expect(one.difference!).toBeLessThan(one.interval!.high);
    }
    const back = comparePairedClassification(model('y', 0.85), model('x', 0.6), options);
    expect(back[0]!.difference).toBeCloseTo(-result[0]!.difference!, 12);
  });
  test('a model against itself differs by 0 and claims no interval; no shared item gives nulls', () => {
    const [same] = comparePairedClassification(model('x', 0.6), model('x', 0.6), { labels, seed: 1 });
    expect(same).toMatchObject({ difference: 0, interval: null });
    const elsewhere = model('x', 0.6).map((row) => ({ ...row, id: `other ${row.id}` }));
    expect(comparePairedClassification(model('x', 0.6), elsewhere, { labels, seed: 1 })[0]).toMatchObject({
      n: 0,
      difference: null,
      interval: null,
    });
  });
  test('repeats are drawn with their item', () => {
    const twice = (stream: string, right: number) => [0, 1].flatMap((repeat) => model(stream, right, 150, { repeat }));
    const [once] = comparePairedClassification(model('x', 0.6, 150), model('y', 0.7, 150), { labels, seed: 1 });
    const [repeated] = comparePairedClassification(twice('x', 0.6), twice('y', 0.7), { labels, seed: 1 });
    expect(repeated!.n).toBe(150);
    expect(repeated!.difference).toBeCloseTo(once!.difference!, 12);
    const width = (one: typeof once) => one!.interval!.high - one!.interval!.low;
    expect(width(repeated)).toBeGreaterThan(0.85 * width(once));
  });
  test('a mistyped score is an error that names the right one', () => {
    expect(() => comparePairedClassification([], [], { seed: 1, scores: ['f1:marco'] })).toThrowError(
      expect.objectContaining({ hint: 'did you mean "f1:macro"?' }),
    );
  });
});
