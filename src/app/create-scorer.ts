// Joins the metrics registry to the runner: one scorer per task, the same for the first scoring and for `verify`.
import type { Metric } from '../core/metric.ts';
import type { PlannedTask } from '../core/plan.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { createMetricScorer } from '../metrics/compute-metrics.ts';
import { findMetric } from '../metrics/registry.ts';
import type { CreateScorer } from '../runner/scoring.ts';
import { ifevalMetric } from '../tasks/ifeval/ifeval-metric.ts';

/** Uses of a task with the protocol that ties and normalisers follow. */
function usesOf(task: PlannedTask) {
  return task.metrics.map(({ name, options }) => ({ name, options: { protocol: task.protocol, ...(options ?? {}) } }));
}

/** Metrics that live beside their task, after the user's own. */
const taskMetrics: readonly Metric[] = [ifevalMetric];

/** @param userMetrics - the user's own metrics; they win over built-in ones of the same name */
export function createScorerWith(userMetrics: readonly Metric[] = []): CreateScorer {
  return (task, { seed }) => createMetricScorer(usesOf(task), { seed, labels: task.labels, userMetrics: [...userMetrics, ...taskMetrics] });
}

/** Per-row score of a task's primary metric (`f1:macro` uses the rows of metric `f1`); null where a row has none. */
export function primaryScorer(task: PlannedTask, seed: number, userMetrics: readonly Metric[] = []): (row: PredictionRow) => number | null {
  const wanted = task.primaryMetric.split(/[:.]/)[0]!;
  const uses = usesOf(task);
  const use = uses.find(({ name }) => name === task.primaryMetric) ?? uses.find(({ name }) => name === wanted) ?? uses[0]!;
  const accumulator = findMetric(use.name, [...userMetrics, ...taskMetrics]).create({ labels: task.labels, seed, use: use.options });
  return (row) => (row.outcome.kind === 'scored' || row.outcome.kind === 'invalid' ? accumulator.add(row) : null);
}
