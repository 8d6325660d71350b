// How far a run is: counts from the columns, and for a run that goes on the metrics over the rows so far with their intervals.
import type { Metric, MetricValue } from '../../core/metric.ts';
import type { RunPlan } from '../../core/plan.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { missingRow, outcomeOf, type SampleColumns, type SampleGroup } from '../../report/viewer/sample-columns.ts';
import type { Progress } from '../../report/viewer/viewer-contract.ts';
import { findMetricValue, type TaskScorer } from '../../runner/scoring.ts';
import { createScorerWith } from '../create-scorer.ts';

/** Partial intervals cost a bootstrap: they may use this share of the time at most. */
const shareOfTime = 0.1;

export class LiveMetrics {
  readonly #plan: RunPlan;
  readonly #userMetrics: readonly Metric[];
  readonly #scorers = new Map<string, { readonly scorer: TaskScorer; rows: number }>();
  readonly #values = new Map<string, { value: MetricValue | null; rows: number; nextAtMs: number }>();

  constructor(plan: RunPlan, userMetrics: readonly Metric[]) {
    this.#plan = plan;
    this.#userMetrics = userMetrics;
  }

  add(row: PredictionRow): void {
    if (row.outcome.kind !== 'scored' && row.outcome.kind !== 'invalid') return;
    const key = `${row.model}\u0000${row.task}`;
    let one = this.#scorers.get(key);
    if (one === undefined) {
      const task = this.#plan.tasks.find((candidate) => candidate.key === row.task)!;
      this.#scorers.set(key, (one = { scorer: createScorerWith(this.#userMetrics)(task, { seed: this.#plan.seed }), rows: 0 }));
    }
    one.scorer.add(row);
    one.rows++;
  }

  /** The primary metric so far; a moment old where computing it anew would take too much of the time. */
  primary(model: string, task: string, nowMs: number): MetricValue | null {
    const key = `${model}\u0000${task}`;
    const one = this.#scorers.get(key);
    if (one === undefined) return null;
    const kept = this.#values.get(key);
    if (kept !== undefined && (kept.rows === one.rows || nowMs < kept.nextAtMs)) return kept.value;
    const started = performance.now();
    const { values } = one.scorer.finish();
    const tookMs = performance.now() - started;
    const wanted = this.#plan.tasks.find((candidate) => candidate.key === task)!.primaryMetric;
    const value = findMetricValue(values, wanted);
    this.#values.set(key, { value, rows: one.rows, nextAtMs: nowMs + tookMs / shareOfTime });
    return value;
  }
}

function countGroup(columns: SampleColumns, group: SampleGroup): Omit<Progress, 'primary'> {
  const counts = { done: 0, right: 0, wrong: 0, partial: 0, invalid: 0, error: 0 };
  let timed = 0;
  let sumMs = 0;
  for (let slot = group.start; slot < group.start + group.length; slot++) {
    if (columns.outcome[slot] === missingRow) continue;
    counts.done++;
    const outcome = outcomeOf(columns, slot);
    if (outcome !== null && outcome !== 'scored' && outcome !== 'skipped') counts[outcome]++;
    const ms = columns.totalMs[slot]!;
    if (Number.isNaN(ms)) continue;
    timed++;
    sumMs += ms;
  }
  return { model: group.model, task: group.task, total: group.length, ...counts, meanMs: timed === 0 ? null : sumMs / timed };
}

/** @param primaryOf - the record's value for a finished run, the live one for a run that goes on */
export function progressOf(columns: SampleColumns, primaryOf: (model: string, task: string) => MetricValue | null): Progress[] {
  return columns.groups.map((group) => ({ ...countGroup(columns, group), primary: primaryOf(group.model, group.task) }));
}
