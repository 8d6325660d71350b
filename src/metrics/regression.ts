// Numbers as answers: absolute and squared error, explained variance, correlation.
import type { Interval, Metric, MetricOptions } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { bootstrap } from '../stats/bootstrap.ts';
import { correlationInterval, pearson, spearman } from '../stats/correlation.ts';
import { mean, squaredDeviations } from '../stats/moments.ts';
import { meanMetric } from './mean-metric.ts';
import { metricValue } from './metric-value.ts';
import { readUseOptions } from './use-options.ts';

/** A plain decimal number, or null: no guessing, the extractor has done the reading. */
export function plainNumber(text: string | null): number | null {
  if (text === null || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(text)) return null;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

function pairOf(row: PredictionRow): { readonly gold: number; readonly predicted: number } | null {
  const gold = plainNumber(row.label);
  const predicted = row.outcome.kind === 'scored' ? plainNumber(row.prediction) : null;
  return gold === null || predicted === null ? null : { gold, predicted };
}

type Statistic = (gold: Float64Array, predicted: Float64Array) => number | null;

function rootMeanSquare(gold: Float64Array, predicted: Float64Array): number | null {
  return Math.sqrt(mean(gold.map((value, index) => (value - predicted[index]!) ** 2))!);
}

/** 1 - residual / total variation (scikit-learn's r2_score); undefined where the gold values do not vary. */
function explained(gold: Float64Array, predicted: Float64Array): number | null {
  const total = squaredDeviations(gold, mean(gold) ?? 0);
  const left = gold.reduce((sum, value, index) => sum + (value - predicted[index]!) ** 2, 0);
  return total === 0 ? null : 1 - left / total;
}

/** Items with their repeats averaged, so that n counts items. */
function createPairs() {
  const items = new Map<string, { gold: number; total: number; count: number }>();
  let left = 0;
  return {
    add: (row: PredictionRow): void => {
      const pair = pairOf(row);
      if (pair === null) {
        left++;
        return;
      }
      const item = items.get(row.id) ?? { gold: pair.gold, total: 0, count: 0 };
      item.total += pair.predicted;
      item.count++;
      items.set(row.id, item);
    },
    columns: () => ({
      gold: Float64Array.from(items.values(), (item) => item.gold),
      predicted: Float64Array.from(items.values(), (item) => item.total / item.count),
    }),
    notes: () => (left > 0 ? { notes: [`${left} rows have no number as gold value or valid answer and are not counted`] } : undefined),
  };
}

function pairMetric(facts: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly higherIsBetter: boolean;
  readonly statistic: Statistic;
  readonly correlation?: 'pearson' | 'spearman' | undefined;
}): Metric {
  const { name, title, description, higherIsBetter, statistic } = facts;
  const spread = (columns: { gold: Float64Array; predicted: Float64Array }, value: number, options: MetricOptions) => {
    const n = columns.gold.length;
    if (facts.correlation !== undefined) {
      return { interval: correlationInterval({ r: value, n, kind: facts.correlation, level: options.level }), standardError: null };
    }
    const pick = (column: Float64Array, items: Uint32Array) => Float64Array.from(items, (item) => column[item]!);
    return bootstrap(
      { size: n, statistic: (items) => statistic(pick(columns.gold, items), pick(columns.predicted, items)) ?? Number.NaN },
      { seed: options.seed, resamples: Math.max(200, Math.min(2000, Math.floor(1e7 / n))), level: options.level },
    );
  };
  return {
    name,
    version: '1',
    title,
    description,
    higherIsBetter,
    create: (options) => {
      readUseOptions(name, options.use, {});
      const pairs = createPairs();
      return {
        add: (row) => {
          pairs.add(row);
          return null;
        },
        finish: () => {
          const columns = pairs.columns();
          const n = columns.gold.length;
          const value = n === 0 ? null : statistic(columns.gold, columns.predicted);
          const known: { interval: Interval | null; standardError: number | null } | null =
            value === null ? null : spread(columns, value, options);
          const printed = { name, version: '1', higherIsBetter, unit: 'score' };
          return { values: [metricValue(printed, { value, n, ...(known ?? {}) })], details: pairs.notes() };
        },
      };
    },
  };
}

export const regressionMetrics: readonly Metric[] = [
  meanMetric({
    name: 'mae',
    title: 'Mean absolute error',
    description: 'mean of |gold - answer| over rows with a number as answer',
    higherIsBetter: false,
    unit: 'score',
    scale: 'mean',
    prepare: (options) => {
      readUseOptions('mae', options.use, {});
      return {
        score: (row) => {
          const pair = pairOf(row);
          return pair === null ? null : Math.abs(pair.gold - pair.predicted);
        },
      };
    },
  }),
  pairMetric({
    name: 'rmse',
    title: 'Root mean squared error',
    description: 'root of the mean squared error',
    higherIsBetter: false,
    statistic: rootMeanSquare,
  }),
  pairMetric({ name: 'r2', title: 'R2', description: '1 - residual / total sum of squares', higherIsBetter: true, statistic: explained }),
  pairMetric({
    name: 'pearson',
    title: 'Pearson correlation',
    description: 'linear correlation of gold and answer',
    higherIsBetter: true,
    statistic: pearson,
    correlation: 'pearson',
  }),
  pairMetric({
    name: 'spearman',
    title: 'Spearman correlation',
    description: 'rank correlation of gold and answer',
    higherIsBetter: true,
    statistic: spearman,
    correlation: 'spearman',
  }),
];
