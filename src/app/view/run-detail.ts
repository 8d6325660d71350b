// Everything the page of one run shows, finished or not.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunRecord, runRecordSchema } from '../../core/record.ts';
import type { RunDetail, RunRow } from '../../report/viewer/viewer-contract.ts';
import { runFiles } from '../../store/files/run-folder.ts';
import { progressOf } from './live-progress.ts';
import { readLog } from './read-log.ts';
import { readTimelines } from './read-timelines.ts';
import type { RunHandle } from './run-handles.ts';

/** null where there is none yet, or none that this version reads. */
export async function readRecordOf(folder: string): Promise<RunRecord | null> {
  try {
    const parsed = runRecordSchema.safeParse(JSON.parse(await readFile(join(folder, runFiles.record), 'utf8')));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** 100,000 ids are megabytes that no page shows. */
const withoutIds = <T extends { readonly sampleIds: readonly string[] }>(task: T): T => ({ ...task, sampleIds: [] });

export async function runDetail(row: RunRow, handle: RunHandle): Promise<RunDetail> {
  const { folder, plan, index, live } = handle;
  const record = await readRecordOf(folder);
  const isLive = live !== null && row.state !== 'complete';
  const progress = progressOf(index.columns, (model, task) =>
    isLive
      ? live.primary(model, task, performance.now())
      : (record?.results.find((result) => result.model === model && result.task === task)?.primary ?? null),
  );
  return {
    run: { ...row, done: progress.reduce((sum, one) => sum + one.done, 0), total: index.slots.total },
    record: record === null ? null : { ...record, tasks: record.tasks.map(withoutIds) },
    models: record?.models ?? plan.models,
    tasks: (record?.tasks ?? plan.tasks).map(withoutIds),
    progress,
    log: await readLog(folder),
    timelines: await readTimelines(folder),
    performance: record?.performance ?? null,
    quantisation: record?.quantisation ?? null,
  };
}
