// One number for a group of tasks (mmlu): the weighting is named and the error bar is the one of that weighting.
import type { MetricValue } from '../core/metric.ts';
import { tInterval } from '../stats/moments.ts';
import { stratifiedMean, type Weighting } from '../stats/pooled.ts';
import { effectiveWilsonInterval } from '../stats/proportion.ts';
import { metricValue } from './metric-value.ts';

/**
 * Group value of the same metric on several tasks; null where a task has no value, because a group figure needs all its tasks.
 * @param weighting `documents` weights tasks by n (lm-evaluation-harness's mmlu), `tasks` weights them equally
 */
export function groupScore(parts: readonly MetricValue[], weighting: Weighting, level = 0.95): MetricValue | null {
  const first = parts[0];
  if (first === undefined) return null;
  const printed = { name: first.name, version: first.version, higherIsBetter: first.higherIsBetter, unit: first.unit };
  const average = first.average;
  if (parts.some((part) => part.value === null)) return metricValue(printed, { value: null, n: 0, average });
  const strata = parts.map((part) => ({ value: part.value!, n: part.n, standardError: part.standardError }));
  const group = stratifiedMean(strata, weighting);
  if (group.value === null || group.standardError === null) return metricValue(printed, { ...group, average });
  const { value, standardError } = group;
  const bounded = first.unit === 'fraction' && value >= 0 && value <= 1;
  const interval = bounded
    ? effectiveWilsonInterval({ share: value, standardError, floor: group.n, df: Infinity, level, method: 'stratified-wilson' })
    : tInterval({ estimate: value, standardError, df: Infinity, level, method: 'stratified-normal' });
  return metricValue(printed, { ...group, average, interval });
}
