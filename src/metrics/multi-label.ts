// Several labels per row: exact set match, Jaccard, Hamming loss and F1 micro, macro, weighted and per row.
import { z } from 'zod';
import type { Metric, MetricDetails, MetricOptions, MetricOutput, MetricValue } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { type MeanScoring, meanMetric } from './mean-metric.ts';
import { metricValue } from './metric-value.ts';
import { createRowUnits } from './row-units.ts';
import { createUnitTables } from './unit-tables.ts';
import { readUseOptions } from './use-options.ts';

const labelOption = { labels: z.array(z.string()).min(1).optional() };

/** Gold and predicted label sets of a row; an invalid answer predicts nothing; null without a gold set. */
function setsOf(row: PredictionRow): { readonly gold: ReadonlySet<string>; readonly predicted: ReadonlySet<string> } | null {
  const gold = row.references ?? (row.label === null ? undefined : [row.label]);
  if (gold === undefined) return null;
  const answered = row.outcome.kind === 'scored' ? (row.predictions ?? (row.prediction === null ? [] : [row.prediction])) : [];
  return { gold: new Set(gold), predicted: new Set(answered) };
}

function shared(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  let count = 0;
  for (const label of left) if (right.has(label)) count++;
  return count;
}

function perRow(
  name: string,
  options: MetricOptions,
  score: (gold: ReadonlySet<string>, predicted: ReadonlySet<string>) => number,
): MeanScoring {
  readUseOptions(name, options.use, labelOption);
  return {
    score: (row) => {
      const sets = setsOf(row);
      return sets === null ? null : score(sets.gold, sets.predicted);
    },
  };
}

function sampleF1(gold: ReadonlySet<string>, predicted: ReadonlySet<string>): number {
  const whole = gold.size + predicted.size;
  return whole === 0 ? 0 : (2 * shared(gold, predicted)) / whole;
}

const f1Facts = { name: 'multilabel_f1', version: '1', higherIsBetter: true, unit: 'fraction' };
const shown = ['micro', 'macro', 'weighted'] as const;

/** Writes micro, macro and weighted F1 of a table with three cells per class: right, predicted, gold. */
function writeF1(counts: Float64Array, into: Float64Array): void {
  const classes = counts.length / 3;
  let right = 0;
  let whole = 0;
  let support = 0;
  let plain = 0;
  let weighted = 0;
  for (let index = 0; index < classes; index++) {
    const [hit, predicted, gold] = [counts[3 * index]!, counts[3 * index + 1]!, counts[3 * index + 2]!];
    const f1 = predicted + gold === 0 ? 0 : (2 * hit) / (predicted + gold);
    right += hit;
    whole += predicted + gold;
    support += gold;
    plain += f1;
    weighted += f1 * gold;
  }
  into[0] = whole === 0 ? 0 : (2 * right) / whole;
  into[1] = classes === 0 ? 0 : plain / classes;
  into[2] = support === 0 ? 0 : weighted / support;
}

function perClass(labels: readonly string[], counts: Float64Array): NonNullable<MetricDetails['perClass']> {
  return labels.map((label, index) => {
    const [truePositives, predicted, support] = [counts[3 * index]!, counts[3 * index + 1]!, counts[3 * index + 2]!];
    return {
      label,
      truePositives,
      predicted,
      support,
      precision: predicted === 0 ? 0 : truePositives / predicted,
      recall: support === 0 ? 0 : truePositives / support,
      f1: predicted + support === 0 ? 0 : (2 * truePositives) / (predicted + support),
    };
  });
}

function createF1(options: MetricOptions) {
  const use = readUseOptions('multilabel_f1', options.use, labelOption);
  const declared = use.labels ?? options.labels;
  const units = createRowUnits();
  const rows: { readonly unit: number; readonly gold: ReadonlySet<string>; readonly predicted: ReadonlySet<string> }[] = [];
  return {
    add: (row: PredictionRow): number | null => {
      const sets = setsOf(row);
      if (sets === null) return null;
      rows.push({ unit: units.unitOf(row), ...sets });
      return sampleF1(sets.gold, sets.predicted);
    },
    finish: (): MetricOutput => {
      const labels = declared ?? [...new Set(rows.flatMap((row) => [...row.gold]))].sort();
      const classOf = new Map(labels.map((label, index) => [label, index]));
      const tables = createUnitTables();
      const counts = new Float64Array(3 * labels.length);
      const put = (unit: number, cell: number): void => {
        tables.add(unit, cell);
        counts[cell]!++;
      };
      let outside = 0;
      for (const { unit, gold, predicted } of rows) {
        for (const label of predicted) {
          const index = classOf.get(label);
          if (index === undefined) outside++;
          else {
            put(unit, 3 * index + 1);
            if (gold.has(label)) put(unit, 3 * index);
          }
        }
        for (const label of gold) if (classOf.has(label)) put(unit, 3 * classOf.get(label)! + 2);
      }
      const task = { units: units.units(), cells: counts.length, width: shown.length, statistics: writeF1 };
      const spread = tables.bootstrap(task, { seed: options.seed, level: options.level });
      const values = shown.map((average, place): MetricValue => {
        const { estimate, interval, standardError } = spread[place]!;
        return metricValue(f1Facts, { value: estimate, n: units.items(), average, interval, standardError });
      });
      const notes = outside > 0 ? { notes: [`${outside} predicted labels are outside the declared ones`] } : {};
      return { values, details: { perClass: perClass(labels, counts), ...notes } };
    },
  };
}

export const multiLabelMetrics: readonly Metric[] = [
  {
    name: 'multilabel_f1',
    version: '1',
    title: 'Multi-label F1',
    description: 'F1 micro, macro and weighted over the declared labels, zero_division 0 (scikit-learn)',
    higherIsBetter: true,
    create: createF1,
  },
  meanMetric({
    name: 'multilabel_f1_samples',
    title: 'Multi-label F1 per row',
    description: 'mean over rows of the F1 of the two label sets',
    scale: 'bounded',
    prepare: (options) => perRow('multilabel_f1_samples', options, sampleF1),
  }),
  meanMetric({
    name: 'subset_accuracy',
    title: 'Subset accuracy',
    description: 'predicted label set equals the gold set',
    prepare: (options) =>
      perRow('subset_accuracy', options, (gold, predicted) =>
        gold.size === predicted.size && shared(gold, predicted) === gold.size ? 1 : 0,
      ),
  }),
  meanMetric({
    name: 'jaccard',
    title: 'Jaccard index',
    description: 'mean over rows of shared labels / all labels of the two sets; 0 for two empty sets, as scikit-learn has it',
    scale: 'bounded',
    prepare: (options) =>
      perRow('jaccard', options, (gold, predicted) => {
        const both = shared(gold, predicted);
        const union = gold.size + predicted.size - both;
        return union === 0 ? 0 : both / union;
      }),
  }),
  meanMetric({
    name: 'hamming_loss',
    title: 'Hamming loss',
    description: 'share of wrong label decisions over the declared labels',
    higherIsBetter: false,
    scale: 'bounded',
    prepare: (options) => {
      const use = readUseOptions('hamming_loss', options.use, labelOption);
      const labels = use.labels ?? options.labels;
      return {
        score: (row) => {
          const sets = setsOf(row);
          if (sets === null || labels === undefined) return null;
          return labels.filter((label) => sets.gold.has(label) !== sets.predicted.has(label)).length / labels.length;
        },
        details: () => (labels === undefined ? { notes: ['hamming_loss needs declared labels'] } : {}),
      };
    },
  }),
];
