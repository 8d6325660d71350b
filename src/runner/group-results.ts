// One score per model for tasks that belong together (the 57 subjects of MMLU), weighted by documents.
import type { Interval, MetricValue } from '../core/metric.ts';
import type { PlannedTask } from '../core/plan.ts';
import type { ResultEntry, RunRecord } from '../core/record.ts';
import { stratifiedMean } from '../stats/pooled.ts';

const normalQuantile95 = 1.959963984540054;

/** Groups of at least two tasks whose primary metric is one and the same. */
export function groupResults(tasks: readonly PlannedTask[], results: readonly ResultEntry[]): RunRecord['groups'] {
  const groups = new Map<string, string[]>();
  for (const task of tasks) {
    for (const group of task.groups) groups.set(group, [...(groups.get(group) ?? []), task.key]);
  }
  const models = [...new Set(results.map((result) => result.model))];
  return [...groups].flatMap(([group, members]) =>
    members.length < 2 ? [] : models.flatMap((model) => groupOf(group, model, members, results)),
  );
}

function groupOf(group: string, model: string, members: readonly string[], results: readonly ResultEntry[]): RunRecord['groups'] {
  const entries = results.filter((result) => result.model === model && members.includes(result.task));
  const primaries = entries.map((entry) => entry.primary).filter((value) => value !== null);
  const first = primaries[0];
  if (first === undefined || primaries.length !== members.length) return [];
  if (primaries.some((value) => value.name !== first.name || value.average !== first.average)) return [];
  return [{ group, model, tasks: [...members], weighting: 'documents', value: groupValue(first, primaries) }];
}

function groupValue(first: MetricValue, primaries: readonly MetricValue[]): MetricValue {
  const strata = primaries.flatMap(({ value, n, standardError }) => (value === null ? [] : [{ value, n, standardError }]));
  const { value, n, standardError } = stratifiedMean(strata, 'documents');
  return {
    ...first,
    value,
    n,
    standardError,
    interval: value === null || standardError === null ? null : normalInterval(value, standardError, first.unit),
  };
}

function normalInterval(value: number, standardError: number, unit: string): Interval {
  const reach = normalQuantile95 * standardError;
  const low = value - reach;
  const high = value + reach;
  const isShare = unit === 'fraction';
  return { low: isShare ? Math.max(0, low) : low, high: isShare ? Math.min(1, high) : high, level: 0.95, method: 'stratified-normal' };
}
