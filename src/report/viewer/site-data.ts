// The files of an exported site: what they hold and how columns travel as JSON.
import type { PredictionRow } from '../../core/prediction.ts';
import type { RunRecord } from '../../core/record.ts';
import { idOf, type SampleColumns, type SampleGroup } from './sample-columns.ts';
import type { LeaderboardEntry, RunDetail, RunRow, TrainingView } from './viewer-contract.ts';

/** Rows of one file of samples. */
export const rowsPerFile = 200;

export interface SiteData {
  readonly schema: 'slmbench/site/1';
  readonly folder: string;
  readonly runs: readonly RunRow[];
  readonly leaderboard: readonly LeaderboardEntry[];
  readonly training: readonly TrainingView[];
}

export interface PackedColumns {
  readonly groups: readonly SampleGroup[];
  readonly outcome: readonly number[];
  readonly score: readonly (number | null)[];
  readonly totalMs: readonly (number | null)[];
  readonly category: readonly number[];
  readonly categories: readonly string[];
  /** Items of one cluster are not independent: paired tests need to know. Empty where no row names one. */
  readonly clusters: readonly (string | null)[];
}

export interface SiteRun {
  readonly detail: RunDetail;
  readonly columns: PackedColumns;
}
/** Rows from slot `file x rowsPerFile` on; null where there is none. */
export type SiteRows = readonly (PredictionRow | null)[];

const numbers = (values: Float32Array): (number | null)[] =>
  Array.from(values, (value) => (Number.isNaN(value) ? null : Number(value.toPrecision(7))));

export function packColumns(columns: SampleColumns, clusters: readonly (string | null)[]): PackedColumns {
  return {
    groups: columns.groups,
    outcome: [...columns.outcome],
    score: numbers(columns.score),
    totalMs: numbers(columns.totalMs),
    category: [...columns.category],
    categories: columns.categories,
    clusters: clusters.some((cluster) => cluster !== null) ? clusters : [],
  };
}

export function unpackColumns(packed: PackedColumns): SampleColumns {
  const floats = (values: readonly (number | null)[]): Float32Array => Float32Array.from(values, (value) => value ?? Number.NaN);
  return {
    groups: packed.groups,
    total: packed.outcome.length,
    outcome: Uint8Array.from(packed.outcome),
    score: floats(packed.score),
    totalMs: floats(packed.totalMs),
    category: Uint16Array.from(packed.category),
    categories: [...packed.categories],
  };
}

/** The record with the ids that the export keeps once, in the columns. */
export function recordWithIds({ detail, columns }: SiteRun): RunRecord | null {
  if (detail.record === null) return null;
  const idsOf = (task: string): string[] => [...(columns.groups.find((group) => group.task === task)?.ids ?? [])];
  return { ...detail.record, tasks: detail.record.tasks.map((task) => ({ ...task, sampleIds: idsOf(task.key) })) };
}

/** Scores of one model on one task, as the paired tests take them. */
export function scoredRowsOf({ columns }: SiteRun, model: string, task: string) {
  const group = columns.groups.find((one) => one.model === model && one.task === task);
  if (group === undefined) return [];
  return Array.from({ length: group.length }, (_, at) => {
    const slot = group.start + at;
    return {
      id: idOf(group, slot),
      score: columns.score[slot] ?? null,
      cluster: columns.clusters[slot] ?? undefined,
      category: columns.categories[columns.category[slot]! - 1],
    };
  });
}
