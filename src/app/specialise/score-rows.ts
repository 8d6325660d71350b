// Numbers from prediction rows: the score block, the majority-class baseline and paired tests on the same rows.

import { countNames } from '../../core/count-names.ts';
import type { Metric } from '../../core/metric.ts';
import { scored } from '../../core/outcome.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { type PairedTest, type ScoreBlock, scoreBlockSchema } from '../../core/specialise-record.ts';
import type { MetricUse } from '../../core/task.ts';
import { computeMetrics } from '../../metrics/compute-metrics.ts';
import { findMetric } from '../../metrics/registry.ts';
import { findMetricValue } from '../../runner/scoring.ts';
import { comparePaired, pairScores, type ScoredItem } from '../../stats/compare-paired.ts';
import { holm } from '../../stats/holm.ts';

export interface ScoringRules {
  readonly metrics: readonly MetricUse[];
  readonly primaryMetric: string;
  readonly labels: readonly string[] | undefined;
  readonly seed: number;
  /** The user's own, from the project file. */
  readonly userMetrics?: readonly Metric[] | undefined;
}

function countInvalid(rows: readonly PredictionRow[]): Record<string, number> {
  return countNames(rows.flatMap(({ outcome }) => (outcome.kind === 'invalid' ? [outcome.reason] : [])));
}

export function scoreRows(rows: readonly PredictionRow[], rules: ScoringRules): ScoreBlock {
  const { values, details } = computeMetrics(rows, rules.metrics, {
    seed: rules.seed,
    labels: rules.labels,
    userMetrics: rules.userMetrics,
  });
  const counted = rows.filter(({ outcome }) => outcome.kind === 'scored' || outcome.kind === 'invalid');
  const invalidReasons = countInvalid(counted);
  const invalidCount = Object.values(invalidReasons).reduce((sum, count) => sum + count, 0);
  const classes = Object.values(details).find((one) => one.perClass !== undefined);
  return scoreBlockSchema.parse({
    primary: findMetricValue(values, rules.primaryMetric),
    metrics: values,
    perClass: classes?.perClass ?? [],
    confusion: Object.values(details).find((one) => one.confusion !== undefined)?.confusion ?? null,
    support: counted.length,
    invalidCount,
    invalidReasons,
    coverage: counted.length === 0 ? null : (counted.length - invalidCount) / counted.length,
  });
}

/** Rows of a model that always names the most frequent class of the training split. */
export function majorityRows(rows: readonly PredictionRow[], label: string): PredictionRow[] {
  return rows.map(({ predictedIndex: _, predictions: __, choices: ___, ...row }) => ({
    ...row,
    model: 'majority-class',
    prediction: label,
    outcome: scored,
    raw: label,
    cleaned: label,
    reasoning: null,
    extractedBy: 'majority-class',
    finishReason: null,
    warnings: [],
  }));
}

/** Per-row score of the primary metric, in [0, 1] for most metrics. */
export function primaryScores(rows: readonly PredictionRow[], rules: ScoringRules): ScoredItem[] {
  const wanted = rules.primaryMetric.split(/[:.]/)[0]!;
  const use = rules.metrics.find(({ name }) => name === wanted) ?? rules.metrics[0]!;
  const accumulator = findMetric(use.name, rules.userMetrics).create({ labels: rules.labels, seed: rules.seed, use: use.options ?? {} });
  return rows.map((row) => ({
    id: row.id,
    score: row.outcome.kind === 'scored' || row.outcome.kind === 'invalid' ? accumulator.add(row) : null,
    cluster: row.cluster,
  }));
}

/** The specialist against each baseline on the same rows; Holm's correction runs over all of them. */
export function pairedTests(
  specialist: readonly PredictionRow[],
  baselines: readonly { readonly title: string; readonly rows: readonly PredictionRow[] }[],
  rules: ScoringRules,
): PairedTest[] {
  const own = primaryScores(specialist, rules);
  const tests = baselines.map(({ title, rows }) => ({
    title,
    comparison: comparePaired(pairScores(primaryScores(rows, rules), own), { seed: rules.seed }),
  }));
  const adjusted = holm(tests.map(({ comparison }) => comparison.p));
  return tests.map(({ title, comparison }, index) => ({
    baseline: title,
    n: comparison.n,
    difference: comparison.difference,
    interval: comparison.interval,
    p: comparison.p,
    adjustedP: adjusted[index] ?? null,
    test: comparison.test,
    onlySpecialist: comparison.onlyB,
    onlyBaseline: comparison.onlyA,
  }));
}
