// Copies a shared run into a local run folder, byte for byte, so that every other command can read it.
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ToolError } from '../../core/errors.ts';
import { safeFileName } from '../../core/names.ts';
import type { RunRecord } from '../../core/record.ts';
import { artifactNames, artifactParts } from '../../store/postgres/artifact-table.ts';
import { journalLines } from '../../store/postgres/journal-table.ts';
import { findRun, readPlanText, readRecord } from '../../store/postgres/run-table.ts';
import type { SharedStore } from '../../store/postgres/shared-store.ts';

export interface ExportedRun {
  readonly record: RunRecord;
  readonly folder: string;
}

async function writeChunks(path: string, chunks: AsyncIterable<string | Buffer>): Promise<void> {
  const file = await open(path, 'w');
  try {
    for await (const chunk of chunks) await file.write(chunk as string);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function* journalText(store: SharedStore, number: string): AsyncGenerator<string> {
  for await (const lines of journalLines(store.database, number)) yield `${lines.join('\n')}\n`;
}

/**
 * Writes `runsFolder/<run id>/`; a folder that is there already is replaced as a whole.
 * @throws ToolError `not-found` while the run has no record, `storage` when the folder cannot be written
 */
export async function exportRun(store: SharedStore, runId: string, runsFolder: string): Promise<ExportedRun> {
  const entry = await findRun(store.database, runId);
  const record = await readRecord(store.database, entry);
  const folder = join(runsFolder, safeFileName(runId));
  const draft = `${folder}.tmp-${process.pid}-00000000`;
  try {
    await rm(draft, { recursive: true, force: true });
    await mkdir(draft, { recursive: true });
    await writeFile(join(draft, 'plan.json'), await readPlanText(store.database, entry.number));
    await writeFile(join(draft, 'record.json'), `${JSON.stringify(record, null, 2)}\n`);
    await writeChunks(join(draft, 'journal.jsonl'), journalText(store, entry.number));
    for (const name of await artifactNames(store.database, entry.number)) {
      await writeChunks(join(draft, safeFileName(name)), artifactParts(store.database, entry.number, name));
    }
    await rm(folder, { recursive: true, force: true });
    await rename(draft, folder);
  } catch (cause) {
    await rm(draft, { recursive: true, force: true }).catch(() => undefined);
    if (ToolError.isInstance(cause)) throw cause;
    throw new ToolError('storage', `cannot write ${folder}: ${messageOf(cause)}`, { cause });
  }
  return { record, folder };
}
