// Classification, multi-label and regression metrics against scikit-learn (values made by scripts/golden/classification.py).
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { classificationReport } from '../../../src/metrics/classification-report.ts';
import { computeMetrics } from '../../../src/metrics/compute-metrics.ts';
import { selectMetricValue } from '../../../src/metrics/metric-value.ts';
import { predictionRow } from '../../../src/metrics/prediction-row.ts';

const golden = JSON.parse(readFileSync(new URL('./scikit-learn.json', import.meta.url), 'utf8'));

function close(actual: number | null | undefined, wanted: number, what = ''): void {
  expect(typeof actual, what).toBe('number');
  expect(Math.abs(actual! - wanted), `${what}: ${actual} against ${wanted}`).toBeLessThan(1e-12);
}

test('random tables: accuracy, all averages, each class, MCC, kappa, confusion with an invalid column', () => {
  for (const item of golden.classification) {
    const report = classificationReport(item.gold, item.pred, { labels: item.labels });
    close(report.accuracy, item.accuracy, 'accuracy');
    for (const average of ['micro', 'macro', 'weighted'] as const) {
      const { precision, recall, f1 } = report.averages[average]!;
      close(precision, item[average][0], `${average} precision`);
      close(recall, item[average][1], `${average} recall`);
      close(f1, item[average][2], `${average} f1`);
    }
    item.per_class.forEach(([precision, recall, f1, support]: number[], index: number) => {
      const one = report.perClass[index]!;
      close(one.precision, precision!);
      close(one.recall, recall!);
      close(one.f1, f1!);
      expect(one.support).toBe(support);
    });
    if (item.balanced !== null) close(report.balancedAccuracy, item.balanced, 'balanced');
    if (item.mcc !== null) close(report.mcc, item.mcc, 'mcc');
    if (item.kappa !== null) close(report.cohenKappa, item.kappa, 'kappa');
    if (item.confusion !== null) expect(report.confusion.counts).toEqual(item.confusion);
    close(classificationReport(item.gold, item.pred, { labels: 'union' }).averages.macro!.f1, item.union_macro[2], 'union');
  }
});

test('zero_division nan: undefined rates are null and left out of the averages', () => {
  for (const item of golden.undefined) {
    const report = classificationReport(item.gold, item.pred, { labels: item.labels, zeroDivision: 'nan' });
    const rows = item.gold.map((label: string, index: number) => predictionRow({ id: `${index}`, label, prediction: item.pred[index] }));
    const use = { name: 'classification', options: { zeroDivision: 'nan' } };
    const { values } = computeMetrics(rows, [use], { seed: 1, labels: item.labels });
    (['precision', 'recall', 'f1'] as const).forEach((rate, place) => {
      const same = (actual: number | null, wanted: number | null, what: string) =>
        wanted === null ? expect(actual, what).toBeNull() : close(actual, wanted, what);
      report.perClass.forEach((one, index) => same(one[rate], item.per_class[place][index], `${rate} of ${one.label}`));
      for (const average of ['micro', 'macro', 'weighted'] as const) {
        same(report.averages[average]![rate], item[average][place][0], `${average} ${rate}`);
        same(selectMetricValue(values, `${rate}:${average}`)!.value, item[average][place][0], `metric ${average} ${rate}`);
      }
    });
  }
});

test('the metrics of the registry give the same numbers as the report', () => {
  for (const item of golden.classification.slice(0, 12)) {
    const rows = item.gold.map((label: string, index: number) => predictionRow({ id: `${index}`, label, prediction: item.pred[index] }));
    const uses = [{ name: 'accuracy' }, { name: 'f1' }, { name: 'precision' }, { name: 'recall' }];
    const { values } = computeMetrics(rows, uses, { seed: 1, labels: item.labels });
    close(selectMetricValue(values, 'accuracy')!.value, item.accuracy);
    for (const average of ['micro', 'macro', 'weighted']) {
      ['precision', 'recall', 'f1'].forEach((rate, place) => {
        const found = selectMetricValue(values, `${rate}:${average}`)!;
        close(found.value, item[average][place]);
        expect(found.interval!.low).toBeLessThanOrEqual(found.interval!.high);
      });
    }
  }
});

test('multi-label', () => {
  for (const item of golden.multilabel) {
    const rows = item.gold.map((references: string[], index: number) =>
      predictionRow({ id: `${index}`, references, predictions: item.pred[index] }),
    );
    const uses = ['multilabel_f1', 'multilabel_f1_samples', 'subset_accuracy', 'hamming_loss', 'jaccard'].map((name) => ({ name }));
    const { values } = computeMetrics(rows, uses, { seed: 1, labels: item.labels });
    for (const average of ['micro', 'macro', 'weighted']) close(selectMetricValue(values, `multilabel_f1:${average}`)!.value, item.f1[average]);
    close(selectMetricValue(values, 'multilabel_f1_samples')!.value, item.f1.samples);
    close(selectMetricValue(values, 'subset_accuracy')!.value, item.subset);
    close(selectMetricValue(values, 'hamming_loss')!.value, item.hamming);
    close(selectMetricValue(values, 'jaccard')!.value, item.jaccard);
  }
});

test('regression', () => {
  for (const item of golden.regression) {
    const rows = item.gold.map((gold: number, index: number) =>
      predictionRow({ id: `${index}`, label: `${gold}`, prediction: `${item.pred[index]}` }),
    );
    const { values } = computeMetrics(rows, [{ name: 'mae' }, { name: 'rmse' }, { name: 'r2' }], { seed: 1 });
    for (const name of ['mae', 'rmse', 'r2']) close(selectMetricValue(values, name)!.value, item[name], name);
  }
});
