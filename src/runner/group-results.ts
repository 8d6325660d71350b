// One score per model for a group of tasks that was run as a group, every task weighing alike.
import type { MetricValue } from '../core/metric.ts';
import type { PlannedTask } from '../core/plan.ts';
import type { ResultEntry, RunRecord } from '../core/record.ts';
import { stratifiedInterval, stratifiedMean } from '../stats/pooled.ts';

/** Groups of at least two tasks. A task names a group only when the whole group was asked for. */
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
  const primaries = results.flatMap((result) =>
    result.model === model && members.includes(result.task) && result.primary !== null ? [result.primary] : [],
  );
  const first = primaries[0];
  // A mean over scores of different scales would mean nothing, and one over some of the tasks would be another group.
  if (first === undefined || primaries.length !== members.length || primaries.some((value) => value.unit !== first.unit)) return [];
  return [{ group, model, tasks: [...members], weighting: 'tasks', value: groupValue(first, primaries) }];
}

function groupValue(first: MetricValue, primaries: readonly MetricValue[]): MetricValue {
  const strata = primaries.flatMap(({ value, n, standardError }) => (value === null ? [] : [{ value, n, standardError }]));
  const mean = stratifiedMean(strata, 'tasks');
  const isOneMetric = primaries.every((value) => value.name === first.name && value.average === first.average);
  return {
    ...first,
    name: isOneMetric ? first.name : 'mean of primary metrics',
    average: isOneMetric ? first.average : null,
    value: mean.value,
    n: mean.n,
    standardError: mean.standardError,
    interval: stratifiedInterval(mean, { isShare: first.unit === 'fraction' }),
  };
}
