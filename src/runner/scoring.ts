// What the runner needs from metrics: they are handed in, so that this room knows none of them.
import type { MetricDetails, MetricValue } from '../core/metric.ts';
import type { PlannedTask } from '../core/plan.ts';
import type { PredictionRow } from '../core/prediction.ts';

/** All metrics of one task over one stream of rows. */
export interface TaskScorer {
  /** Takes one row with outcome `scored` or `invalid`. */
  readonly add: (row: PredictionRow) => void;
  readonly finish: () => { readonly values: readonly MetricValue[]; readonly details: Readonly<Record<string, MetricDetails>> };
}

/** Makes the scorer of a task. It must depend on the rows and their order only, so that `verify` gets equal numbers. */
export type CreateScorer = (task: PlannedTask, options: { readonly seed: number }) => TaskScorer;

/** A value by `name` or `name:average`; a bare name prefers the value without average, then macro. Null where there is none. */
export function findMetricValue(values: readonly MetricValue[], wanted: string): MetricValue | null {
  const exact = values.find((value) => value.name === wanted && value.average === null);
  if (exact !== undefined) return exact;
  const named = values.filter((value) => value.name === wanted || `${value.name}:${value.average}` === wanted);
  return named.find((value) => value.average === 'macro') ?? named[0] ?? null;
}
