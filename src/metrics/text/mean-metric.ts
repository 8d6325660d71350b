// Builds metrics whose value is the mean of one score per row, with an interval that fits the data.
import type { z } from 'zod';
import type { Interval, Metric, MetricAccumulator, MetricOptions, MetricOutput, MetricValue } from '../../core/metric.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { clusteredInterval, clusteredStandardError, numberClusters } from '../../stats/clustered.ts';
import { mean, meanInterval, standardErrorOfMean, sum } from '../../stats/moments.ts';
import { wilsonInterval } from '../../stats/proportion.ts';
import { readMetricOptions } from './metric-options.ts';

/** Scores rows under fixed options. */
export interface RowScorer {
  /** 0 to 1 (or another unit), or null where the row cannot be scored at all (no reference). */
  readonly score: (row: PredictionRow) => number | null;
  /** Settings that shape the number, as `key:value|...`. */
  readonly signature?: string | undefined;
  /** One-line warnings about the rows seen, asked for at the end. */
  readonly notes?: (() => readonly string[]) | undefined;
}

export interface MeanMetricDefinition<Schema extends z.ZodObject> {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly unit?: string | undefined;
  readonly higherIsBetter?: boolean | undefined;
  readonly options: Schema;
  readonly prepare: (options: z.infer<Schema>) => RowScorer;
}

export function defineMeanMetric<Schema extends z.ZodObject>(definition: MeanMetricDefinition<Schema>): Metric {
  const { name, version, title, description, higherIsBetter = true } = definition;
  const create = (options: MetricOptions): MetricAccumulator => {
    const scorer = definition.prepare(readMetricOptions(name, definition.options, options.use));
    const scores: number[] = [];
    const units: string[] = [];
    let unscorable = 0;
    const add = (row: PredictionRow): number | null => {
      const score = scorer.score(row);
      if (score === null) unscorable++;
      else {
        scores.push(score);
        units.push(row.cluster ?? row.id);
      }
      return score;
    };
    const finish = (): MetricOutput => {
      const notes = [...(scorer.notes?.() ?? []), ...unscorableNote(unscorable)];
      const facts: MetricValue = {
        name,
        average: null,
        value: mean(scores),
        n: scores.length,
        ...spreadOfMean(scores, units, options.level ?? 0.95),
        higherIsBetter,
        unit: definition.unit ?? 'fraction',
        version,
        ...(scorer.signature === undefined ? {} : { signature: scorer.signature }),
      };
      return notes.length === 0 ? { values: [facts] } : { values: [facts], details: { notes } };
    };
    return { add, finish };
  };
  return { name, version, title, description, higherIsBetter, create };
}

export function unscorableNote(rows: number): readonly string[] {
  return rows === 0 ? [] : [`${rows} ${rows === 1 ? 'row has' : 'rows have'} no reference and ${rows === 1 ? 'is' : 'are'} left out`];
}

/** Standard error and interval of a mean: clustered where rows share a cluster or repeat an item, Wilson for 0/1 scores, else Student's t. */
export function spreadOfMean(
  scores: readonly number[],
  units: readonly string[],
  level: number,
): { readonly standardError: number | null; readonly interval: Interval | null } {
  const { index, clusters } = numberClusters(units);
  if (clusters < scores.length) {
    const error = clusteredStandardError(scores, index);
    return { standardError: error.standardError, interval: clusteredInterval(error, level) };
  }
  const standardError = standardErrorOfMean(scores);
  const isProportion = scores.every((score) => score === 0 || score === 1);
  if (!isProportion) return { standardError, interval: meanInterval(scores, level) };
  const successes = sum(scores);
  return { standardError, interval: wilsonInterval({ successes, n: scores.length, level }) };
}
