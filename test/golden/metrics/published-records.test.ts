// Four published classification records: their counts alone must give back every printed number, the mostly invalid one included.
import { expect, test } from 'vitest';
import { classificationReport } from '../../../src/metrics/classification-report.ts';

const labels = ['negative', 'neutral', 'positive'];
type Counts = readonly [truePositives: number, predicted: number, support: number];

/** Gold and predicted columns with exactly these margins: wrong predictions fill the misses in any order. */
function columns(counts: readonly Counts[], invalid: number): { gold: string[]; predicted: (string | null)[] } {
  const gold: string[] = [];
  const predicted: (string | null)[] = [];
  const misses = counts.map(([right, , support]) => support - right);
  const wrong = counts.map(([right, total]) => total - right);
  counts.forEach(([right], index) => {
    for (let row = 0; row < right; row++) {
      gold.push(labels[index]!);
      predicted.push(labels[index]!);
    }
  });
  // The class with the fewest free partners goes first, so that nobody is left with only its own label.
  const place = (from: number, to: number | null): void => {
    misses[from]!--;
    gold.push(labels[from]!);
    predicted.push(to === null ? null : labels[to]!);
    if (to !== null) wrong[to]!--;
  };
  for (let left = wrong.reduce((a, b) => a + b, 0); left > 0; left--) {
    const to = wrong.indexOf(Math.max(...wrong));
    const from = [0, 1, 2].filter((index) => index !== to).sort((a, b) => misses[b]! - misses[a]!)[0]!;
    place(from, to);
  }
  let empty = 0;
  misses.forEach((count, index) => {
    for (; count > 0; count--) {
      place(index, null);
      empty++;
    }
  });
  expect(empty).toBe(invalid);
  return { gold, predicted };
}

test.each([
  ['Gemma 4', [[33, 38, 34], [152, 159, 158], [58, 59, 64]], 0, 243 / 256, 0.939582211279526],
  ['Llama 3', [[28, 29, 34], [154, 179, 158], [45, 48, 64]], 0, 227 / 256, 0.8688023016658031],
  ['R1-Distill-Qwen', [[32, 37, 34], [110, 114, 158], [62, 105, 64]], 0, 204 / 256, 0.8146532635889591],
  ['Qwen 3', [[6, 6, 34], [20, 20, 158], [31, 34, 64]], 196, 57 / 256, 0.3857907207826951],
] as [string, Counts[], number, number, number][])('%s', (_, counts, invalid, accuracy, macroF1) => {
  const { gold, predicted } = columns(counts, invalid);
  const report = classificationReport(gold, predicted, { labels });
  expect(report.n).toBe(256);
  expect(report.invalid).toBe(invalid);
  expect(Math.abs(report.accuracy! - accuracy)).toBeLessThan(1e-12);
  expect(Math.abs(report.averages.macro!.f1 - macroF1)).toBeLessThan(1e-12);
  report.perClass.forEach((one, index) => expect([one.truePositives, one.predicted, one.support]).toEqual([...counts[index]!]));
  if (invalid === 0) {
    for (const rate of ['precision', 'recall', 'f1'] as const) expect(report.averages.micro![rate]).toBeCloseTo(accuracy, 12);
  } else {
    expect(report.averages.micro).toMatchObject({ precision: 0.95, recall: 57 / 256 });
    expect(report.averages.micro!.f1).toBeCloseTo(0.36075949, 8);
    expect(report.averages.weighted!.precision).toBeCloseTo(0.97794, 5);
    expect(report.averages.weighted!.f1).toBeCloseTo(0.3367, 5);
    expect(report.averages.macro!.precision).toBeCloseTo(0.97059, 5);
    expect(report.averages.macro!.recall).toBeCloseTo(0.26248, 5);
    expect(report.coverage).toBeCloseTo(60 / 256, 12);
  }
});
