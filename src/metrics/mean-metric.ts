// Metrics that are the mean of a score per row: most of them. One place turns a scoring function into a metric.
import type { Metric, MetricDetails, MetricOptions } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { createItemMeans, type MeanScale } from './item-means.ts';
import { metricValue } from './metric-value.ts';

/** Scores one row, or null where the row has no score (it then does not count in n). */
export type RowScorer = (row: PredictionRow) => number | null;

export interface MeanScoring {
  readonly score: RowScorer;
  /** Further results after all rows. */
  readonly details?: (() => MetricDetails) | undefined;
}

export interface MeanMetricFacts {
  readonly name: string;
  /** @default '1' */
  readonly version?: string | undefined;
  readonly title: string;
  readonly description: string;
  /** @default true */
  readonly higherIsBetter?: boolean | undefined;
  /** @default 'fraction' */
  readonly unit?: string | undefined;
  /** @default 'proportion' */
  readonly scale?: MeanScale | undefined;
  readonly prepare: (options: MetricOptions) => MeanScoring;
}

/** A metric whose value is the mean of row scores; intervals follow repeats and clusters (item-means.ts). */
export function meanMetric(facts: MeanMetricFacts): Metric {
  const version = facts.version ?? '1';
  const higherIsBetter = facts.higherIsBetter ?? true;
  const printed = { name: facts.name, version, higherIsBetter, unit: facts.unit ?? 'fraction' };
  return {
    name: facts.name,
    version,
    title: facts.title,
    description: facts.description,
    higherIsBetter,
    create: (options) => {
      const means = createItemMeans();
      const scoring = facts.prepare(options);
      let withoutScore = 0;
      return {
        add: (row) => {
          const score = scoring.score(row);
          if (score === null || !Number.isFinite(score)) {
            withoutScore++;
            return null;
          }
          means.add(row, score);
          return score;
        },
        finish: () => {
          const value = metricValue(printed, means.summary(facts.scale ?? 'proportion', options.level));
          return { values: [value], details: withNote(scoring.details?.(), withoutScore) };
        },
      };
    },
  };
}

function withNote(details: MetricDetails | undefined, withoutScore: number): MetricDetails | undefined {
  if (withoutScore === 0) return details;
  const note = `${withoutScore} ${withoutScore === 1 ? 'row has' : 'rows have'} no score here and ${withoutScore === 1 ? 'is' : 'are'} not counted`;
  return { ...details, notes: [...(details?.notes ?? []), note] };
}
