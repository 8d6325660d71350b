// Builds text metrics whose value is the mean of one score per row, with named options, a signature and notes.
import type { z } from 'zod';
import type { Metric, MetricAccumulator, MetricOptions, MetricOutput } from '../../core/metric.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { createItemMeans } from '../item-means.ts';
import { metricValue } from '../metric-value.ts';
import { readUseOptions } from '../use-options.ts';

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
  /** @default 'fraction' */
  readonly unit?: string | undefined;
  readonly options: Schema;
  readonly prepare: (options: z.infer<Schema>) => RowScorer;
}

export function defineMeanMetric<Schema extends z.ZodObject>(definition: MeanMetricDefinition<Schema>): Metric {
  const { name, version, title, description, unit = 'fraction' } = definition;
  const facts = { name, version, higherIsBetter: true, unit };
  const create = (options: MetricOptions): MetricAccumulator => {
    const scorer = definition.prepare(readUseOptions(name, options.use, definition.options.shape) as z.infer<Schema>);
    const means = createItemMeans();
    let unscorable = 0;
    const add = (row: PredictionRow): number | null => {
      const score = scorer.score(row);
      if (score === null) unscorable++;
      else means.add(row, score);
      return score;
    };
    const finish = (): MetricOutput => {
      const notes = [...(scorer.notes?.() ?? []), ...unscorableNote(unscorable)];
      const value = metricValue(facts, means.summary(unit === 'fraction' ? 'bounded' : 'mean', options.level));
      const values = [scorer.signature === undefined ? value : { ...value, signature: scorer.signature }];
      return notes.length === 0 ? { values } : { values, details: { notes } };
    };
    return { add, finish };
  };
  return { name, version, title, description, higherIsBetter: true, create };
}

export function unscorableNote(rows: number): readonly string[] {
  return rows === 0 ? [] : [`${rows} ${rows === 1 ? 'row has' : 'rows have'} no reference and ${rows === 1 ? 'is' : 'are'} left out`];
}
