// One metric over rows: each row's own share of it where the metric is their mean, and the paired difference where it is not.
import type { Interval, Metric, MetricValue } from '../../core/metric.ts';
import type { PlannedTask } from '../../core/plan.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { scoreNames } from '../../metrics/classification-scores.ts';
import { createMetricScorer } from '../../metrics/compute-metrics.ts';
import { comparePairedClassification } from '../../metrics/paired-classification.ts';
import type { ScoredItem } from '../../stats/compare-paired.ts';
import { tInterval } from '../../stats/moments.ts';
import { createRandom, shuffled } from '../../stats/random.ts';
import { ifevalMetric } from '../../tasks/ifeval/ifeval-metric.ts';

export interface MetricOfTask {
  readonly task: PlannedTask;
  /** The value that the record holds. */
  readonly value: MetricValue;
  readonly seed: number;
  readonly userMetrics: readonly Metric[];
}

/**
 * The value that a rule names: `f1:macro` by name and average; `f1` by name, in the average that the task shows, else macro. `accuracy`
 * also stands for `acc` of multiple-choice tasks, `primary` for the metric that the comparison table shows.
 */
export function findValue(values: readonly MetricValue[], name: string, task: PlannedTask): MetricValue | undefined {
  if (name === 'primary') return findValue(values, task.primaryMetric, task);
  const full = (value: MetricValue): string => (value.average === null ? value.name : `${value.name}:${value.average}`);
  const exact = values.find((value) => full(value) === name);
  if (exact !== undefined) return exact;
  const named = values.filter((value) => value.name === name);
  if (named.length === 0) return name === 'accuracy' ? values.find((value) => value.name === 'acc') : undefined;
  return named.find((value) => full(value) === task.primaryMetric) ?? named.find((value) => value.average === 'macro') ?? named[0];
}

/** The uses that yield the metric: computing the others again and again would be most of the work. */
function openScorer(
  { task, value, seed, userMetrics }: MetricOfTask,
  onScore?: (row: PredictionRow, metric: string, score: number) => void,
) {
  const own = task.metrics.filter((use) => use.name === value.name);
  const uses = (own.length > 0 ? own : task.metrics).map(({ name, options }) => ({
    name,
    options: { protocol: task.protocol, ...(options ?? {}) },
  }));
  return createMetricScorer(uses, { seed, labels: task.labels, userMetrics: [...userMetrics, ifevalMetric], onScore });
}

/** Per-row scores whose mean is the metric's value; null where the metric is no mean of row scores (macro F1, corpus BLEU). */
export function itemScores(rows: readonly PredictionRow[], use: MetricOfTask): readonly ScoredItem[] | null {
  const byMetric = new Map<string, ScoredItem[]>();
  const scorer = openScorer(use, (row, metric, score) => {
    let items = byMetric.get(metric);
    if (items === undefined) byMetric.set(metric, (items = []));
    items.push({ id: row.id, score, cluster: row.cluster });
  });
  for (const row of rows) scorer.add(row);
  for (const items of byMetric.values()) {
    const mean = items.reduce((total, item) => total + item.score!, 0) / items.length;
    if (use.value.value !== null && Math.abs(mean - use.value.value) < 1e-9) return items;
  }
  return null;
}

export interface MetricDifference {
  readonly n: number;
  readonly baseline: number | null;
  readonly value: number | null;
  /** Of value - baseline. */
  readonly interval: Interval | null;
  readonly notes: readonly string[];
}

/** value - baseline of a metric that is no mean of rows, on the same items. */
export function pairedMetricDifference(
  before: readonly PredictionRow[],
  after: readonly PredictionRow[],
  use: MetricOfTask,
  level: number,
): MetricDifference {
  const { name, average } = use.value;
  const score = average === null ? name : `${name}:${average}`;
  const { task, seed } = use;
  const hasAliases = task.metrics.some((one) => one.options?.['aliases'] !== undefined);
  if (scoreNames().includes(score) && !hasAliases) {
    const [found] = comparePairedClassification(before, after, { labels: task.labels, seed, level, scores: [score] });
    return { n: found!.n, baseline: found!.a, value: found!.b, interval: found!.interval, notes: ['paired bootstrap'] };
  }
  return jackknifeDifference(before, after, use, level);
}

const groupCount = 20;

/** Delete-a-group jackknife of the paired difference (Shao and Tu 1995, section 2.3): every value is computed on 19 of 20 parts of the items. */
function jackknifeDifference(
  before: readonly PredictionRow[],
  after: readonly PredictionRow[],
  use: MetricOfTask,
  level: number,
): MetricDifference {
  const afterIds = new Set(after.map((row) => row.id));
  const unitOf = new Map(before.filter((row) => afterIds.has(row.id)).map((row) => [row.id, row.cluster ?? row.id]));
  // Shuffled: a pattern in the order of the items must not fall together with the groups.
  const units = shuffled([...new Set(unitOf.values())], createRandom(use.seed, 'jackknife'));
  const groups = Math.min(groupCount, units.length);
  const groupOf = new Map(units.map((unit, index) => [unit, index % groups]));
  const valueWithout = (rows: readonly PredictionRow[], group: number): number | null => {
    const scorer = openScorer(use);
    for (const row of rows) {
      const unit = unitOf.get(row.id);
      if (unit !== undefined && groupOf.get(unit) !== group) scorer.add(row);
    }
    const { values } = scorer.finish();
    return values.find((value) => value.name === use.value.name && value.average === use.value.average)?.value ?? null;
  };
  const [baseline, value] = [valueWithout(before, -1), valueWithout(after, -1)];
  const result = { n: unitOf.size, baseline, value, notes: ['paired jackknife over groups of items'] };
  if (baseline === null || value === null || groups < 2) return { ...result, interval: null };
  const parts = Array.from({ length: groups }, (_, group) => {
    const [left, right] = [valueWithout(before, group), valueWithout(after, group)];
    return left === null || right === null ? null : right - left;
  });
  if (parts.some((part) => part === null)) return { ...result, interval: null };
  const mean = parts.reduce<number>((total, part) => total + part!, 0) / groups;
  const squares = parts.reduce<number>((total, part) => total + (part! - mean) ** 2, 0);
  const standardError = Math.sqrt(((groups - 1) / groups) * squares);
  return {
    ...result,
    interval: standardError === 0 ? null : tInterval({ estimate: value - baseline, standardError, df: groups - 1, level }),
  };
}
