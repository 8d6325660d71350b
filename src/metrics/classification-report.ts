// The classification report of two columns of labels, for library users, the benchmark and the metrics alike.
import type { MetricDetails } from '../core/metric.ts';
import {
  type Average,
  averages,
  classTotals,
  ratePlace,
  scorePlace,
  scoreWidth,
  writeScores,
  type ZeroDivision,
} from './classification-scores.ts';
import { type Confusion, confusionMatrix, createLabelPairs } from './confusion.ts';

type ClassResults = NonNullable<MetricDetails['perClass']>;

/** @typeParam Rate number, or `number | null` where undefined rates are told apart (`zeroDivision: 'nan'`) */
export interface ClassificationReport<Rate = number> {
  readonly labels: readonly string[];
  readonly n: number;
  /** Predictions outside the labels, empty ones included. */
  readonly invalid: number;
  readonly accuracy: number | null;
  readonly balancedAccuracy: number | null;
  readonly mcc: number | null;
  readonly cohenKappa: number | null;
  /** Valid predictions / all. */
  readonly coverage: number | null;
  readonly averages: Readonly<Record<Exclude<Average, 'positive'>, { precision: Rate; recall: Rate; f1: Rate } | null>>;
  readonly perClass: readonly (Omit<ClassResults[number], 'precision' | 'recall' | 'f1'> & { precision: Rate; recall: Rate; f1: Rate })[];
  /** Labels whose 0 stands for a division by zero: never predicted (precision), without gold rows (recall); scikit-learn's `nan` mode. */
  readonly undefinedFor: { readonly precision: readonly string[]; readonly recall: readonly string[] };
  readonly confusion: { readonly labels: readonly string[]; readonly counts: readonly (readonly number[])[] };
  readonly majorityBaseline: { readonly label: string; readonly value: number } | null;
}

/** Precision, recall, F1, support and prediction count of each declared label. */
export function perClassResults(confusion: Confusion): ClassResults {
  const totals = classTotals(confusion);
  return confusion.labels.map((label, index) => {
    const truePositives = totals.truePositives[index]!;
    const predicted = totals.predicted[index]!;
    const support = totals.support[index]!;
    return {
      label,
      precision: predicted === 0 ? 0 : truePositives / predicted,
      recall: support === 0 ? 0 : truePositives / support,
      f1: predicted + support === 0 ? 0 : (2 * truePositives) / (predicted + support),
      support,
      predicted,
      truePositives,
    };
  });
}

/** Share of the most frequent gold label: what always answering it would score. */
export function majorityBaseline(confusion: Confusion): { label: string; value: number } | null {
  const { support } = classTotals(confusion);
  let best = -1;
  for (let index = 0; index < confusion.labels.length; index++) if (best < 0 || support[index]! > support[best]!) best = index;
  return best < 0 || confusion.total === 0 ? null : { label: confusion.labels[best]!, value: support[best]! / confusion.total };
}

function finite(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

export interface ReportOptions {
  readonly labels?: readonly string[] | 'union' | undefined;
}

/**
 * Equal to scikit-learn's report with `labels=` and `zero_division=0`; `labels` undefined takes the sorted gold labels, `union` scikit-learn's
 * default. Strings are compared exactly; a prediction outside the labels, or null, is a miss for its gold class and adds no class.
 * `zeroDivision: 'nan'` makes rates without a divisor null and leaves them out of the averages, as scikit-learn's `zero_division=np.nan` does.
 * @throws RangeError where the columns differ in length
 */
export function classificationReport(
  gold: readonly string[],
  predicted: readonly (string | null)[],
  options?: ReportOptions,
): ClassificationReport;
export function classificationReport(
  gold: readonly string[],
  predicted: readonly (string | null)[],
  options: ReportOptions & { readonly zeroDivision: ZeroDivision },
): ClassificationReport<number | null>;
export function classificationReport(
  gold: readonly string[],
  predicted: readonly (string | null)[],
  options: ReportOptions & { readonly zeroDivision?: ZeroDivision } = {},
): ClassificationReport<number | null> {
  if (gold.length !== predicted.length) throw new RangeError(`${gold.length} gold labels against ${predicted.length} predictions`);
  const pairs = createLabelPairs();
  for (let row = 0; row < gold.length; row++) pairs.add(gold[row]!, predicted[row]!);
  return reportOf(pairs.confusion(options.labels), options.zeroDivision ?? 0);
}

/** The report of counts that were made already. */
function reportOf(confusion: Confusion, zeroDivision: ZeroDivision): ClassificationReport<number | null> {
  const scores = new Float64Array(scoreWidth);
  writeScores(confusion, confusion.counts, -1, scores, undefined, zeroDivision);
  const average = (name: Average) => {
    const [precision, recall, f1] = (['precision', 'recall', 'f1'] as const).map((rate) => finite(scores[ratePlace(rate, name)]!));
    return confusion.total === 0 ? null : { precision: precision!, recall: recall!, f1: f1! };
  };
  const named = averages.filter((name) => name !== 'positive');
  const perClass = perClassResults(confusion);
  let invalid = 0;
  for (let cell = 0; cell < confusion.counts.length; cell++) {
    if (confusion.predicted[cell] === confusion.labels.length) invalid += confusion.counts[cell]!;
  }
  return {
    labels: confusion.labels,
    n: confusion.total,
    invalid,
    accuracy: finite(scores[scorePlace.accuracy]!),
    balancedAccuracy: finite(scores[scorePlace.balanced_accuracy]!),
    mcc: finite(scores[scorePlace.mcc]!),
    cohenKappa: finite(scores[scorePlace.cohen_kappa]!),
    coverage: finite(scores[scorePlace.coverage]!),
    averages: Object.fromEntries(named.map((name) => [name, average(name)])) as ClassificationReport['averages'],
    perClass: zeroDivision === 'nan' ? perClass.map(withoutUndefined) : perClass,
    undefinedFor: {
      precision: perClass.filter(({ predicted }) => predicted === 0).map(({ label }) => label),
      recall: perClass.filter(({ support }) => support === 0).map(({ label }) => label),
    },
    confusion: { labels: confusion.labels, counts: confusionMatrix(confusion) },
    majorityBaseline: majorityBaseline(confusion),
  };
}

/** F1 = 2 tp / (gold + predicted) is defined where either is there. */
function withoutUndefined(one: ClassResults[number]): ClassificationReport<number | null>['perClass'][number] {
  const { predicted, support } = one;
  return {
    ...one,
    precision: predicted === 0 ? null : one.precision,
    recall: support === 0 ? null : one.recall,
    f1: predicted + support === 0 ? null : one.f1,
  };
}
