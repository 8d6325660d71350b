// Builds metrics that are computed once over a whole corpus from statistics that add up (BLEU, chrF, entity F1).
import type { z } from 'zod';
import type { Metric, MetricAccumulator, MetricOptions, MetricOutput, MetricValue } from '../../core/metric.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { bootstrap } from '../../stats/bootstrap.ts';
import { unscorableNote } from './mean-metric.ts';
import { readMetricOptions } from './metric-options.ts';

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

const resamples = 1000;

export function defineCorpusMetric<Schema extends z.ZodObject>(definition: CorpusMetricDefinition<Schema>): Metric {
  const { name, version, title, description } = definition;
  const create = (options: MetricOptions): MetricAccumulator => {
    const scorer = definition.prepare(readMetricOptions(name, definition.options, options.use));
    const rows: (readonly number[])[] = [];
    const units = new Map<string, number[]>();
    let unscorable = 0;
    const add = (row: PredictionRow): number | null => {
      const statistics = scorer.statistics(row);
      if (statistics === null) {
        unscorable++;
        return null;
      }
      const unit = row.cluster ?? row.id;
      const members = units.get(unit);
      if (members === undefined) units.set(unit, [rows.length]);
      else members.push(rows.length);
      rows.push(statistics);
      return scorer.rowScore(statistics);
    };
    const finish = (): MetricOutput => {
      const notes = [...(scorer.notes?.() ?? []), ...unscorableNote(unscorable)];
      const values = corpusValues(definition, scorer, rows, [...units.values()], options);
      return notes.length === 0 ? { values } : { values, details: { notes } };
    };
    return { add, finish };
  };
  return { name, version, title, description, higherIsBetter: true, create };
}

/** Resamples whole clusters (shared passage, repeats of one item), each drawn with its summed statistics. */
function corpusValues(
  definition: Pick<CorpusMetricDefinition<z.ZodObject>, 'unit' | 'version'>,
  scorer: CorpusScorer,
  rows: readonly (readonly number[])[],
  units: readonly (readonly number[])[],
  options: MetricOptions,
): MetricValue[] {
  const width = rows[0]?.length ?? 0;
  const sums = units.map((members) => addUp(members, rows, width));
  const everything = addUp(sums.keys(), sums, width);
  const combined = rows.length === 0 ? null : scorer.combine(everything);
  return scorer.columns.map(({ name, average }, column): MetricValue => {
    const drawn = new Array<number>(width);
    const spread =
      units.length < 2
        ? null
        : bootstrap(
            { size: units.length, statistic: (items) => scorer.combine(addUp(items, sums, width, drawn))[column]! },
            { seed: options.seed, resamples, level: options.level ?? 0.95 },
          );
    return {
      name,
      average,
      value: combined?.[column] ?? null,
      n: rows.length,
      interval: spread?.interval ?? null,
      standardError: spread?.standardError ?? null,
      higherIsBetter: true,
      unit: definition.unit,
      version: definition.version,
      ...(scorer.signature === undefined || rows.length === 0 ? {} : { signature: scorer.signature() }),
    };
  });
}

function addUp(items: Iterable<number>, rows: readonly (readonly number[])[], width: number, into = new Array<number>(width)): number[] {
  into.fill(0);
  for (const item of items) {
    const row = rows[item]!;
    for (let index = 0; index < width; index++) into[index]! += row[index]!;
  }
  return into;
}
