// A run as a gate reads it: its record, and where the run folder is at hand, the final row of every sample.
import { access } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { PredictionRow } from '../../core/prediction.ts';
import type { RunRecord } from '../../core/record.ts';
import { finalRows } from '../canonical.ts';
import { openRun } from '../open-run.ts';
import type { Workspace } from '../workspace.ts';

export interface GatedRun {
  readonly name: string;
  readonly record: RunRecord;
  /** Final rows by `model NUL task`; null for a record without its folder. */
  readonly rows: ReadonlyMap<string, readonly PredictionRow[]> | null;
}

export function rowsKey(model: string, task: string): string {
  return `${model}\u0000${task}`;
}

/** A record file inside its run folder stands for the run. */
async function folderOf(reference: string): Promise<string> {
  if (basename(reference) !== 'record.json') return reference;
  const folder = dirname(reference);
  return access(join(folder, 'journal.jsonl')).then(
    () => folder,
    () => reference,
  );
}

export async function openGatedRun(reference: string, workspace: Workspace): Promise<GatedRun> {
  const run = await openRun(await folderOf(reference), workspace);
  if (run.store === null) return { name: reference, record: run.record, rows: null };
  const rows = new Map<string, PredictionRow[]>();
  for await (const row of finalRows(run)) {
    const key = rowsKey(row.model, row.task);
    const group = rows.get(key);
    if (group === undefined) rows.set(key, [row]);
    else group.push(row);
  }
  return { name: run.id, record: run.record, rows };
}
