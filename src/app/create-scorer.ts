// Joins the metrics registry to the runner: one scorer per task, the same for the first scoring and for `verify`.
import type { MetricDetails, MetricOutput, MetricValue } from '../core/metric.ts';
import type { PlannedTask } from '../core/plan.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { findMetric } from '../metrics/registry.ts';
import type { CreateScorer } from '../runner/scoring.ts';

/** Accumulators of a task's metrics, by metric name. */
export function openAccumulators(task: Pick<PlannedTask, 'metrics' | 'labels' | 'protocol'>, seed: number) {
  return task.metrics.map((use) => ({
    name: use.name,
    accumulator: findMetric(use.name).create({ labels: task.labels, seed, use: { protocol: task.protocol, ...(use.options ?? {}) } }),
  }));
}

export const createScorer: CreateScorer = (task, { seed }) => {
  const open = openAccumulators(task, seed);
  return {
    add: (row) => {
      for (const { accumulator } of open) accumulator.add(row);
    },
    finish: () => {
      const values: MetricValue[] = [];
      const details: Record<string, MetricDetails> = {};
      for (const { name, accumulator } of open) {
        const output: MetricOutput = accumulator.finish();
        values.push(...output.values);
        if (output.details !== undefined) details[name] = output.details;
      }
      return { values, details };
    },
  };
};

/** Per-row score of a task's primary metric (`f1:macro` uses the rows of metric `f1`); null where a row has none. */
export function primaryScorer(task: PlannedTask, seed: number): (row: PredictionRow) => number | null {
  const open = openAccumulators(task, seed);
  const wanted = task.primaryMetric.split(/[:.]/)[0]!;
  const chosen = open.find(({ name }) => name === task.primaryMetric) ?? open.find(({ name }) => name === wanted) ?? open[0];
  return (row) => (row.outcome.kind === 'scored' || row.outcome.kind === 'invalid' ? (chosen?.accumulator.add(row) ?? null) : null);
}
