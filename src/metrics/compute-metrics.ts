// Rows in, numbers out: runs the metrics of a task over prediction rows in one pass, overall and by category.
import type { Metric, MetricAccumulator, MetricDetails, MetricOptions, MetricOutput, MetricValue } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import type { MetricUse } from '../core/task.ts';
import { findMetric } from './registry.ts';

export interface ComputeMetricsOptions {
  readonly seed: number;
  readonly labels?: readonly string[] | undefined;
  /** @default 0.95 */
  readonly level?: number | undefined;
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

function bind(uses: readonly MetricUse[], options: ComputeMetricsOptions): Bound[] {
  return uses.map((use) => {
    const metric = findMetric(use.name, options.userMetrics);
    return { metric, options: { labels: options.labels, seed: options.seed, level: options.level, use: use.options ?? {} } };
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

/** All metrics of one task over a stream of rows. */
export interface MetricScorer {
  /** Rows with outcome `error` or `skipped` are passed over: they never enter a score. */
  readonly add: (row: PredictionRow) => void;
  readonly finish: () => { readonly values: MetricValue[]; readonly details: Record<string, MetricDetails> };
}

function openScorer(bound: readonly Bound[], onScore?: ComputeMetricsOptions['onScore']): MetricScorer {
  const accumulators: readonly MetricAccumulator[] = bound.map((one) => one.metric.create(one.options));
  return {
    add: (row) => {
      if (row.outcome.kind === 'error' || row.outcome.kind === 'skipped') return;
      for (let index = 0; index < accumulators.length; index++) {
        const score = accumulators[index]!.add(row);
        if (score !== null) onScore?.(row, bound[index]!.metric.name, score);
      }
    },
    finish: () => {
      const outputs = accumulators.map((accumulator) => accumulator.finish());
      // Not by assignment: the name of a user's own metric may be any.
      const details: Record<string, MetricDetails> = Object.fromEntries(
        outputs.flatMap((output, index) => (output.details === undefined ? [] : [[bound[index]!.metric.name, output.details]])),
      );
      return { values: valuesOf(outputs), details };
    },
  };
}

/** @throws ToolError for an unknown metric or a wrong option, before any row is read */
export function createMetricScorer(uses: readonly MetricUse[], options: ComputeMetricsOptions): MetricScorer {
  return openScorer(bind(uses, options), options.onScore);
}

/**
 * Computes metrics over rows in one pass, overall and by category.
 * @throws ToolError for an unknown metric or a wrong option, before any row is read
 * @example computeMetrics(rows, [{ name: 'accuracy' }, { name: 'f1' }], { seed: 42, labels: ['negative', 'positive'] })
 */
export function computeMetrics(rows: Iterable<PredictionRow>, uses: readonly MetricUse[], options: ComputeMetricsOptions): ComputedMetrics {
  const bound = bind(uses, options);
  const overall = openScorer(bound, options.onScore);
  const byCategory = new Map<string, { n: number; readonly scorer: MetricScorer }>();
  for (const row of rows) {
    if (row.outcome.kind === 'error' || row.outcome.kind === 'skipped') continue;
    overall.add(row);
    if (row.category === undefined) continue;
    let category = byCategory.get(row.category);
    if (category === undefined) byCategory.set(row.category, (category = { n: 0, scorer: openScorer(bound) }));
    category.n++;
    category.scorer.add(row);
  }
  const categories = [...byCategory].map(([category, { n, scorer }]) => ({ category, n, values: scorer.finish().values }));
  return { ...overall.finish(), categories };
}
