// Rows in, numbers out: runs the metrics of a task over prediction rows in one pass, overall and by category.
import type { Metric, MetricAccumulator, MetricDetails, MetricOptions, MetricOutput, MetricValue } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import type { MetricUse, Protocol } from '../core/task.ts';
import { findMetric } from './registry.ts';

export interface ComputeMetricsOptions {
  readonly seed: number;
  readonly labels?: readonly string[] | undefined;
  /** @default 0.95 */
  readonly level?: number | undefined;
  /** `lm-eval` lets the first of tied choices win where a use does not say otherwise. @default 'native' */
  readonly protocol?: Protocol | undefined;
  readonly userMetrics?: readonly Metric[] | undefined;
  /** Gets each row's own score of each metric that has one, for paired comparison and drill-down. */
  readonly onScore?: ((row: PredictionRow, metric: string, score: number) => void) | undefined;
}

export interface ComputedMetrics {
  readonly values: MetricValue[];
  readonly details: Record<string, MetricDetails>;
  /** In order of appearance; empty where no row names a category. */
  readonly categories: { category: string; n: number; values: MetricValue[] }[];
}

interface Bound {
  readonly metric: Metric;
  readonly options: MetricOptions;
}

const tieMetrics = new Set(['acc', 'acc_norm', 'acc_bytes', 'acc_mutual_info', 'mc1', 'ece']);

function bind(uses: readonly MetricUse[], options: ComputeMetricsOptions): Bound[] {
  return uses.map((use) => {
    const metric = findMetric(use.name, options.userMetrics);
    const protocolOptions = options.protocol === 'lm-eval' && tieMetrics.has(use.name) ? { ties: 'first' } : {};
    const own = { ...protocolOptions, ...use.options };
    return { metric, options: { labels: options.labels, seed: options.seed, level: options.level, use: own } };
  });
}

/** Values of all outputs, the first of each (name, average) only: two uses may share a number. */
function valuesOf(outputs: readonly MetricOutput[]): MetricValue[] {
  const seen = new Set<string>();
  return outputs.flatMap((output) =>
    output.values.filter((value) => {
      const key = JSON.stringify([value.name, value.average]);
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    }),
  );
}

/**
 * Computes metrics over rows. Rows with outcome `error` or `skipped` never enter a score.
 * @throws ToolError for an unknown metric or a wrong option, before any row is read
 * @example computeMetrics(rows, [{ name: 'accuracy' }, { name: 'f1' }], { seed: 42, labels: ['negative', 'positive'] })
 */
export function computeMetrics(rows: Iterable<PredictionRow>, uses: readonly MetricUse[], options: ComputeMetricsOptions): ComputedMetrics {
  const bound = bind(uses, options);
  const start = (): MetricAccumulator[] => bound.map((one) => one.metric.create(one.options));
  const overall = start();
  const byCategory = new Map<string, { n: number; readonly accumulators: readonly MetricAccumulator[] }>();
  for (const row of rows) {
    if (row.outcome.kind === 'error' || row.outcome.kind === 'skipped') continue;
    for (let index = 0; index < overall.length; index++) {
      const score = overall[index]!.add(row);
      if (score !== null) options.onScore?.(row, bound[index]!.metric.name, score);
    }
    if (row.category === undefined) continue;
    let category = byCategory.get(row.category);
    if (category === undefined) byCategory.set(row.category, (category = { n: 0, accumulators: start() }));
    category.n++;
    for (const accumulator of category.accumulators) accumulator.add(row);
  }
  const outputs = overall.map((accumulator) => accumulator.finish());
  const details: Record<string, MetricDetails> = {};
  outputs.forEach((output, index) => {
    if (output.details !== undefined) details[bound[index]!.metric.name] = output.details;
  });
  const categories = [...byCategory].map(([category, { n, accumulators }]) => ({
    category,
    n,
    values: valuesOf(accumulators.map((accumulator) => accumulator.finish())),
  }));
  return { values: valuesOf(outputs), details, categories };
}
