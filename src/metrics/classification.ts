// Single-label classification metrics with their intervals: Wilson for proportions, a bootstrap over counts for ratios.
import { z } from 'zod';
import { ToolError } from '../core/errors.ts';
import type { Metric, MetricAccumulator, MetricDetails, MetricOptions, MetricOutput, MetricValue } from '../core/metric.ts';
import { suggestName } from '../core/names.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { type BootstrapResult, bootstrapCounts } from '../stats/bootstrap.ts';
import { majorityBaseline, perClassResults } from './classification-report.ts';
import {
  type Average,
  averages,
  ratePlace,
  rates,
  scorePlace,
  scoresScratch,
  scoreWidth,
  writeScores,
  type ZeroDivision,
} from './classification-scores.ts';
import { type Confusion, confusionMatrix, createLabelPairs } from './confusion.ts';
import { createItemMeans } from './item-means.ts';
import { aliasReader } from './label-aliases.ts';
import { metricValue } from './metric-value.ts';
import { createRowUnits, type RowUnits } from './row-units.ts';
import { createUnitTables } from './unit-tables.ts';
import { readUseOptions } from './use-options.ts';

const version = '1';
const largestPrintedMatrix = 200;

const useShape = {
  /** Adds precision, recall and F1 of this one label as average `positive`. */
  positive: z.string().optional(),
  /** Other spellings of labels, in gold and predicted columns. */
  aliases: z.record(z.string(), z.string()).optional(),
  /** Labels of this use; `union` = all that occur (scikit-learn's default). */
  labels: z.union([z.array(z.string()).min(1), z.literal('union')]).optional(),
  /** What a rate without a divisor is: 0, or `nan`: undefined and left out of averages (scikit-learn's zero_division). */
  zeroDivision: z.union([z.literal(0), z.literal('nan')]).optional(),
};

interface Printed {
  readonly name: string;
  readonly average: Average | null;
  readonly place: number;
}

const single = (name: keyof typeof scorePlace): Printed => ({ name, average: null, place: scorePlace[name] });
const allAverages = (rate: (typeof rates)[number]): Printed[] =>
  averages.map((average) => ({ name: rate, average, place: ratePlace(rate, average) }));

/** The answer of a row: null where there is none that could be right. */
function answerOf(row: PredictionRow): string | null {
  return row.outcome.kind === 'scored' ? row.prediction : null;
}

/** 2,000 for ordinary label sets; fewer for hundreds of labels, where each resample draws thousands of cells. */
function resamplesFor(cells: number): number {
  return Math.max(400, Math.min(2000, Math.floor(4e6 / cells)));
}

function bootstrapScores(
  facts: {
    readonly confusion: Confusion;
    readonly positive: number;
    readonly rowUnits: RowUnits;
    readonly unitOfRow: readonly number[];
    readonly zeroDivision: ZeroDivision;
  },
  options: MetricOptions,
): readonly BootstrapResult[] {
  const { confusion, positive, rowUnits, unitOfRow, zeroDivision } = facts;
  const scratch = scoresScratch(confusion);
  const statistics = (counts: Float64Array, into: Float64Array): void =>
    writeScores(confusion, counts, positive, into, scratch, zeroDivision);
  const settings = { seed: options.seed, level: options.level };
  if (rowUnits.independent()) {
    return bootstrapCounts(
      { counts: confusion.counts, width: scoreWidth, statistics },
      { ...settings, resamples: resamplesFor(confusion.counts.length) },
    );
  }
  const tables = createUnitTables();
  for (let row = 0; row < unitOfRow.length; row++) tables.add(unitOfRow[row]!, confusion.cellOfRow[row]!);
  return tables.bootstrap({ units: rowUnits.units(), cells: confusion.counts.length, width: scoreWidth, statistics }, settings);
}

function detailsOf(confusion: Confusion, withoutGold: number): MetricDetails {
  const notes: string[] = [];
  if (withoutGold > 0) notes.push(`${withoutGold} rows have no gold label and are not counted`);
  const outside = confusion.counts.reduce((sum, count, cell) => (confusion.gold[cell] === confusion.labels.length ? sum + count : sum), 0);
  if (outside > 0) notes.push(`${outside} rows have a gold label outside the declared ones; they count in accuracy only`);
  const printable = confusion.labels.length <= largestPrintedMatrix;
  if (!printable) notes.push(`confusion matrix of ${confusion.labels.length} labels left out`);
  return {
    perClass: perClassResults(confusion),
    ...(printable ? { confusion: { labels: [...confusion.labels], counts: confusionMatrix(confusion) } } : {}),
    majorityBaseline: majorityBaseline(confusion),
    ...(notes.length > 0 ? { notes } : {}),
  };
}

function positiveClass(metric: string, positive: string | undefined, labels: readonly string[]): number {
  if (positive === undefined) return -1;
  const index = labels.indexOf(positive);
  if (index >= 0) return index;
  throw new ToolError('config', `metric "${metric}": positive label "${positive}" is not among the labels`, {
    hint: suggestName(positive, labels),
  });
}

function createClassification(name: string, printed: readonly Printed[], options: MetricOptions, withDetails: boolean): MetricAccumulator {
  const use = readUseOptions(name, options.use, useShape);
  const declared = use.labels ?? options.labels;
  const zeroDivision = use.zeroDivision ?? 0;
  const pairs = createLabelPairs();
  const rowUnits = createRowUnits();
  const unitOfRow: number[] = [];
  const right = createItemMeans();
  const hasAccuracy = printed.some((one) => one.name === 'accuracy');
  let withoutGold = 0;
  const alias = aliasReader(use.aliases);

  const add = (row: PredictionRow): number | null => {
    if (row.label === null) {
      withoutGold++;
      return null;
    }
    const answer = answerOf(row);
    const gold = alias(row.label);
    const predicted = answer === null ? null : alias(answer);
    pairs.add(gold, predicted);
    unitOfRow.push(rowUnits.unitOf(row));
    const correct = gold === predicted ? 1 : 0;
    if (hasAccuracy) right.add(row, correct);
    return correct;
  };

  const finish = (): MetricOutput => {
    const confusion = pairs.confusion(declared);
    const positive = positiveClass(name, use.positive, confusion.labels);
    const shown = printed.filter((one) => one.average !== 'positive' || positive >= 0);
    const bootstrapped = shown.some((one) => one.name !== 'accuracy')
      ? bootstrapScores({ confusion, positive, rowUnits, unitOfRow, zeroDivision }, options)
      : [];
    const scores = new Float64Array(scoreWidth);
    writeScores(confusion, confusion.counts, positive, scores, undefined, zeroDivision);
    const values = shown.map((one): MetricValue => {
      const facts = { name: one.name, version, higherIsBetter: true, unit: unitOf(one.name) };
      if (one.name === 'accuracy') return metricValue(facts, right.summary('proportion', options.level));
      const { interval, standardError } = bootstrapped[one.place]!;
      const value = metricValue(facts, { value: scores[one.place]!, average: one.average, n: rowUnits.items(), interval, standardError });
      return zeroDivision === 'nan' ? { ...value, signature: 'zero_division:nan' } : value;
    });
    return withDetails ? { values, details: detailsOf(confusion, withoutGold) } : { values };
  };
  return { add, finish };
}

function unitOf(name: string): string {
  return name === 'mcc' || name === 'cohen_kappa' ? 'score' : 'fraction';
}

function classificationMetric(name: string, title: string, description: string, printed: readonly Printed[], withDetails = false): Metric {
  return {
    name,
    version,
    title,
    description,
    higherIsBetter: true,
    create: (options) => createClassification(name, printed, options, withDetails),
  };
}

const restricted =
  'over the declared labels, zero_division 0, as scikit-learn computes it; an invalid prediction is a miss and adds no class';

/**
 * Metrics of tasks whose rows have one gold label. The score of a single row is always right (1) or wrong (0), so that paired tests of F1 and
 * the like are McNemar tests of the answers; for intervals of a difference in F1 itself see paired-classification.ts.
 */
export const classificationMetrics: readonly Metric[] = [
  classificationMetric('balanced_accuracy', 'Balanced accuracy', 'mean recall of the classes that occur (scikit-learn)', [
    single('balanced_accuracy'),
  ]),
  classificationMetric('coverage', 'Coverage', 'valid predictions / all rows', [single('coverage')]),
  classificationMetric('precision', 'Precision', `precision ${restricted}`, allAverages('precision')),
  classificationMetric('recall', 'Recall', `recall ${restricted}`, allAverages('recall')),
  classificationMetric(
    'f1',
    'F1',
    `F1 ${restricted}; macro-present averages only the labels that occur in gold or predictions`,
    allAverages('f1'),
    true,
  ),
  classificationMetric('mcc', 'Matthews correlation', 'multi-class MCC (Gorodkin 2004), invalid predictions as one further class', [
    single('mcc'),
  ]),
  classificationMetric('cohen_kappa', "Cohen's kappa", 'agreement above chance (Cohen 1960), invalid predictions as one further class', [
    single('cohen_kappa'),
  ]),
  classificationMetric('confusion', 'Confusion matrix', 'counts of gold by predicted label with an invalid column', [], true),
  classificationMetric(
    'classification',
    'Classification report',
    `all classification scores ${restricted}`,
    [
      single('accuracy'),
      single('balanced_accuracy'),
      ...rates.flatMap(allAverages),
      single('mcc'),
      single('cohen_kappa'),
      single('coverage'),
    ],
    true,
  ),
];
