// What a report is made from: records, and where the journal is at hand the rows with their own score.
import type { PredictionRow } from '../core/prediction.ts';
import type { RunRecord } from '../core/record.ts';

/** A prediction row with its score in the task's primary metric; null where the metric scores no single row. */
export interface ScoredRow {
  readonly row: PredictionRow;
  readonly score: number | null;
}

/** One measurement of a model's own processes. */
export type TimelinePoint = {
  readonly atMs: number;
  readonly rssBytes: number | null;
  readonly cpuPercent: number | null;
  readonly gpuMemoryBytes: number | null;
};
export interface Timeline {
  readonly label: string;
  readonly points: readonly TimelinePoint[];
}

export interface ReportInput {
  readonly records: readonly RunRecord[];
  readonly rows: readonly ScoredRow[];
  /** How memory and processor use went, where the run folder is at hand. */
  readonly timelines?: readonly Timeline[] | undefined;
}

function renamed(record: RunRecord, names: ReadonlyMap<string, string>): RunRecord {
  const nameOf = (key: string): string => names.get(key) ?? key;
  return {
    ...record,
    models: record.models.map((model) => ({ ...model, key: nameOf(model.key) })),
    modelRuns: record.modelRuns.map((run) => ({ ...run, model: nameOf(run.model) })),
    results: record.results.map((entry) => ({ ...entry, model: nameOf(entry.model) })),
    groups: record.groups.map((group) => ({ ...group, model: nameOf(group.model) })),
  };
}

/** The last part of each run id, or whole ids where those are not unique. */
function shortIds(records: readonly RunRecord[]): Map<RunRecord, string> {
  const last = records.map((record) => record.id.split('-').at(-1) ?? record.id);
  const isUnique = new Set(last).size === records.length;
  return new Map(records.map((record, index) => [record, isUnique ? last[index]! : record.id]));
}

/**
 * Joins several runs for one report. A model that more than one run holds is named `model (end of the run id)`, so that no result hides another.
 */
export function joinReportInputs(inputs: readonly ReportInput[]): ReportInput {
  const records = inputs.flatMap((input) => input.records);
  const uses = new Map<string, number>();
  for (const record of records)
    for (const key of new Set(record.results.map(({ model }) => model))) uses.set(key, (uses.get(key) ?? 0) + 1);
  const shared = new Set([...uses].filter(([, count]) => count > 1).map(([key]) => key));
  const timelines = inputs.flatMap((input) => (input.timelines ?? []).map((timeline) => ({ timeline, record: input.records[0] })));
  if (shared.size === 0)
    return { records, rows: inputs.flatMap((input) => input.rows), timelines: timelines.map(({ timeline }) => timeline) };
  const ids = shortIds(records);
  return {
    records: records.map((record) => renamed(record, new Map([...shared].map((key) => [key, `${key} (${ids.get(record)})`])))),
    rows: inputs.flatMap(({ records: [record], rows }) =>
      rows.map(({ row, score }) =>
        shared.has(row.model)
          ? { row: { ...row, model: `${row.model} (${record === undefined ? '' : ids.get(record)})` }, score }
          : { row, score },
      ),
    ),
    timelines: timelines.map(({ timeline, record }) =>
      shared.has(timeline.label) && record !== undefined ? { ...timeline, label: `${timeline.label} (${ids.get(record)})` } : timeline,
    ),
  };
}
