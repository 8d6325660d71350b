// Builds metrics that are computed once over a whole corpus from statistics that add up (BLEU, chrF, entity F1).
import type { z } from 'zod';
import type { Metric, MetricAccumulator, MetricOptions, MetricOutput, MetricValue } from '../../core/metric.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { bootstrap } from '../../stats/bootstrap.ts';
import { metricValue } from '../metric-value.ts';
import { createRowUnits } from '../row-units.ts';
import { readUseOptions } from '../use-options.ts';
import { unscorableNote } from './mean-metric.ts';

export interface CorpusScorer {
  /** Statistics of one row, always of the same length, or null where the row cannot be scored. */
  readonly statistics: (row: PredictionRow) => readonly number[] | null;
  /** The values of added-up statistics, in the order of `columns`. */
  readonly combine: (sums: readonly number[]) => readonly number[];
  /** Score of a single row for paired comparison, from its own statistics. */
  readonly rowScore: (statistics: readonly number[]) => number | null;
  readonly columns: readonly { readonly name: string; readonly average: string | null }[];
  readonly signature?: (() => string) | undefined;
  readonly notes?: (() => readonly string[]) | undefined;
}

export interface CorpusMetricDefinition<Schema extends z.ZodObject> {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  readonly description: string;
  readonly unit: string;
  readonly options: Schema;
  readonly prepare: (options: z.infer<Schema>) => CorpusScorer;
}

export function defineCorpusMetric<Schema extends z.ZodObject>(definition: CorpusMetricDefinition<Schema>): Metric {
  const { name, version, title, description } = definition;
  const create = (options: MetricOptions): MetricAccumulator => {
    const scorer = definition.prepare(readUseOptions(name, options.use, definition.options.shape) as z.infer<Schema>);
    /** Added-up statistics per independent unit: repeats of an item and items of a cluster stay together. */
    const sums: number[][] = [];
    const units = createRowUnits();
    let unscorable = 0;
    const add = (row: PredictionRow): number | null => {
      const statistics = scorer.statistics(row);
      if (statistics === null) {
        unscorable++;
        return null;
      }
      const sum = (sums[units.unitOf(row)] ??= statistics.map(() => 0));
      for (let index = 0; index < sum.length; index++) sum[index]! += statistics[index]!;
      return scorer.rowScore(statistics);
    };
    const finish = (): MetricOutput => {
      const notes = [...(scorer.notes?.() ?? []), ...unscorableNote(unscorable)];
      const values = corpusValues(definition, scorer, sums, units.items(), options);
      return notes.length === 0 ? { values } : { values, details: { notes } };
    };
    return { add, finish };
  };
  return { name, version, title, description, higherIsBetter: true, create };
}

/** The work of the bootstrap stays near 20 million additions: 1,000 resamples for small sets, never below 200. */
function resamplesFor(additions: number): number {
  return Math.max(200, Math.min(1000, Math.floor(2e7 / Math.max(1, additions))));
}

function corpusValues(
  definition: Pick<CorpusMetricDefinition<z.ZodObject>, 'unit' | 'version'>,
  scorer: CorpusScorer,
  sums: readonly (readonly number[])[],
  items: number,
  options: MetricOptions,
): MetricValue[] {
  const width = sums[0]?.length ?? 0;
  const combined = sums.length === 0 ? null : scorer.combine(addUp(sums.keys(), sums, new Array<number>(width)));
  const drawn = new Array<number>(width);
  return scorer.columns.map(({ name, average }, column): MetricValue => {
    const statistic = (units: Uint32Array) => scorer.combine(addUp(units, sums, drawn))[column]!;
    const settings = { seed: options.seed, resamples: resamplesFor(sums.length * width), level: options.level };
    const spread = sums.length < 2 ? null : bootstrap({ size: sums.length, statistic }, settings);
    const facts = { name, version: definition.version, higherIsBetter: true, unit: definition.unit };
    const result = {
      value: combined?.[column] ?? null,
      n: items,
      average,
      interval: spread?.interval,
      standardError: spread?.standardError,
    };
    const value = metricValue(facts, result);
    return scorer.signature === undefined || items === 0 ? value : { ...value, signature: scorer.signature() };
  });
}

function addUp(items: Iterable<number>, rows: readonly (readonly number[])[], into: number[]): number[] {
  into.fill(0);
  for (const item of items) {
    const row = rows[item]!;
    for (let index = 0; index < into.length; index++) into[index]! += row[index]!;
  }
  return into;
}
