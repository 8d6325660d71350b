// Evidence on quality: paired on equal items where both runs have their rows, else from the values and standard errors of the records.
import { ToolError } from '../../core/errors.ts';
import type { Interval, MetricValue } from '../../core/metric.ts';
import type { PlannedTask } from '../../core/plan.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import type { ResultEntry } from '../../core/record.ts';
import type { GateRule } from '../../report/gate/gate-rule.ts';
import type { GateEvidence } from '../../report/gate/judge-gate.ts';
import { comparePaired, pairScores } from '../../stats/compare-paired.ts';
import { normalQuantile } from '../../stats/distributions.ts';
import { atLevel } from './at-level.ts';
import { findValue, itemScores, type MetricOfTask, pairedMetricDifference } from './metric-rows.ts';

/** One model on one task, now and in the baseline. */
export interface GatedPair {
  readonly task: PlannedTask;
  readonly entry: ResultEntry;
  readonly rows: readonly PredictionRow[] | null;
  readonly before: { readonly task: PlannedTask; readonly entry: ResultEntry; readonly rows: readonly PredictionRow[] | null } | null;
}

export type EvidenceDetails = Omit<GateEvidence, 'rule' | 'model' | 'task'>;

const plain = { identical: false, exact: false, notes: [] as readonly string[] };

/** `--min` and `--max`: the value itself with its interval. */
export function valueEvidence(value: MetricValue, level: number): EvidenceDetails {
  const interval = value.value === null ? null : atLevel(value.interval, value.value, level);
  return { ...plain, n: value.n, baseline: null, value: value.value, effect: value.value, interval };
}

function requireEqualItems(rule: GateRule, { task, before }: GatedPair): void {
  if (before === null || before.task.manifest === task.manifest) return;
  const known = new Set(before.task.sampleIds);
  const shared = task.sampleIds.filter((id) => known.has(id)).length;
  if (shared === task.sampleIds.length && shared === before.task.sampleIds.length) return;
  throw new ToolError(
    'data',
    `${rule.text}: "${task.key}" was run on ${task.sampleIds.length} items, the baseline on ${before.task.sampleIds.length}, ${shared} are in both`,
    { hint: 'run both with the same -n, --seed and split' },
  );
}

function sameAnswers(left: readonly PredictionRow[], right: readonly PredictionRow[]): boolean {
  const key = (row: PredictionRow): string => `${row.id} ${row.repeat}`;
  const answer = (row: PredictionRow): string =>
    JSON.stringify([row.outcome.kind, row.prediction, row.raw, row.choices?.map((choice) => choice.logprob), row.rolling, row.grades]);
  const answers = new Map(left.map((row) => [key(row), answer(row)]));
  return left.length === right.length && right.every((row) => answers.get(key(row)) === answer(row));
}

interface Difference {
  readonly n: number;
  readonly baseline: number | null;
  readonly value: number | null;
  /** Interval of value - baseline. */
  readonly interval: Interval | null;
  readonly identical: boolean;
  readonly notes: readonly string[];
}

function pairedDifference(rule: GateRule, pair: GatedPair, use: MetricOfTask, level: number): Difference {
  const [before, after] = [pair.before!.rows!, pair.rows!];
  const identical = sameAnswers(before, after);
  const base = findValue(pair.before!.entry.metrics.values, rule.metric, pair.task)!;
  const [left, right] = [itemScores(before, { ...use, value: base }), itemScores(after, use)];
  if (left === null || right === null) return { ...pairedMetricDifference(before, after, use, level), identical };
  const comparison = comparePaired(pairScores(left, right), { seed: use.seed, level });
  return { n: comparison.n, baseline: comparison.meanA, value: comparison.meanB, interval: comparison.interval, identical, notes: [] };
}

function unpairedDifference(before: MetricValue, after: MetricValue, level: number): Difference {
  const errors = [before.standardError, after.standardError];
  const known = before.value !== null && after.value !== null && errors.every((error) => error !== null);
  const reach = known ? normalQuantile(1 - (1 - level) / 2) * Math.hypot(errors[0]!, errors[1]!) : 0;
  const difference = known ? after.value! - before.value! : 0;
  return {
    n: Math.min(before.n, after.n),
    baseline: before.value,
    value: after.value,
    interval: known && reach > 0 ? { low: difference - reach, high: difference + reach, level, method: 'normal-unpaired' } : null,
    identical: false,
    notes: ['the baseline has no rows at hand: its items are not paired'],
  };
}

/** `--max-drop`: how much worse than the baseline; positive is worse, whichever way the metric runs. */
export function dropEvidence(rule: GateRule, pair: GatedPair, use: MetricOfTask, level: number): EvidenceDetails {
  requireEqualItems(rule, pair);
  const now = use.value;
  const base = pair.before === null ? undefined : findValue(pair.before.entry.metrics.values, rule.metric, pair.task);
  if (base === undefined || pair.before === null) {
    return { ...plain, n: 0, baseline: null, value: now.value, effect: null, interval: null, notes: ['the baseline has no such result'] };
  }
  const found =
    pair.rows === null || pair.before.rows === null ? unpairedDifference(base, now, level) : pairedDifference(rule, pair, use, level);
  const sign = now.higherIsBetter ? -1 : 1;
  const scale = rule.relative ? sign / Math.abs(found.baseline ?? 0) : sign;
  const usable = Number.isFinite(scale) && found.baseline !== null && found.value !== null;
  const ends = found.interval === null || !usable ? null : [found.interval.low * scale, found.interval.high * scale].sort((a, b) => a - b);
  return {
    ...found,
    exact: false,
    // Adding 0 turns minus zero into zero.
    effect: usable ? (found.value! - found.baseline!) * scale + 0 : null,
    interval: ends === null ? null : { low: ends[0]!, high: ends[1]!, level, method: found.interval!.method },
  };
}
