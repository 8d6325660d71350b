// What a page carries for its script: slim records, samples, and the latencies that histograms are drawn from.
import type { RunRecord } from '../../core/record.ts';
import type { LatencySeries } from '../charts/build-histogram-option.ts';
import type { ExplorerData } from '../explorer-data.ts';
import type { ReportInput, Timeline } from '../report-input.ts';

export interface PageData {
  readonly records: readonly RunRecord[];
  readonly samples: ExplorerData | null;
  readonly latencies: Readonly<Record<string, readonly LatencySeries[]>>;
  readonly timelines: readonly Timeline[];
}

/** Ids of samples are long and not drawn. */
export function slimRecord(record: RunRecord): RunRecord {
  return { ...record, tasks: record.tasks.map((task) => ({ ...task, sampleIds: [] })) };
}

/** Latencies of fresh answers by task and model, to a tenth of a millisecond. */
export function latenciesByTask({ rows }: ReportInput): Record<string, LatencySeries[]> {
  const byTask = Map.groupBy(
    rows.filter(({ row }) => row.origin === 'fresh' && row.timing.totalMs !== null && row.outcome.kind !== 'error'),
    ({ row }) => row.task,
  );
  return Object.fromEntries(
    [...byTask].map(([task, own]) => [
      task,
      [...Map.groupBy(own, ({ row }) => row.model)].map(([model, answers]) => ({
        model,
        valuesMs: answers.map(({ row }) => Math.round(row.timing.totalMs! * 10) / 10),
      })),
    ]),
  );
}
