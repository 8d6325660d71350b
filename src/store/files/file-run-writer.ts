// Writes one run into its folder: journal and events are appended, everything else is replaced atomically.
import { join } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import type { RunPlan } from '../../core/plan.ts';
import type { RunWriter } from '../../core/ports/run-store.ts';
import { parsePredictionRow } from '../../core/prediction.ts';
import { runRecordSchema } from '../../core/record.ts';
import { openAppendLog } from './append-log.ts';
import { artifactDigest, readArtifactText } from './artifact.ts';
import { readJsonLines } from './json-lines.ts';
import { artifactPath, runFiles } from './run-folder.ts';
import type { RunLock } from './run-lock.ts';
import { summaryOf, writeSummary } from './run-summary.ts';
import { writeAtomically } from './write-atomically.ts';

export interface WriterInput {
  readonly folder: string;
  readonly runId: string;
  readonly plan: RunPlan;
  readonly lock: RunLock;
}

export function openFileRunWriter({ folder, runId, plan, lock }: WriterInput): RunWriter {
  const journalPath = join(folder, runFiles.journal);
  const journal = openAppendLog(journalPath);
  const events = openAppendLog(join(folder, runFiles.events));
  let closed = false;
  return {
    runId,
    append: (rows) => {
      // Not an async function: the lines must be with the operating system when this call returns.
      try {
        let lines = '';
        for (const row of rows) lines += `${JSON.stringify(row)}\n`;
        journal.append(lines);
        return journal.sync();
      } catch (error) {
        return Promise.reject(error);
      }
    },
    event: (event) => {
      // The journal holds every sample already.
      if (event.kind === 'sample-finished') return;
      events.append(`${JSON.stringify(event)}\n`);
    },
    rows: () => readJsonLines(journalPath, parsePredictionRow),
    writeRecord: async (record) => {
      const checked = runRecordSchema.safeParse(record);
      if (!checked.success) throw new ToolError('internal', `the record does not match its schema: ${checked.error.message}`);
      await writeAtomically(join(folder, runFiles.record), `${JSON.stringify(record, null, 2)}\n`);
      await writeSummary(folder, summaryOf(plan, record.created, record.status));
    },
    writeArtifact: async (name, content) => writeAtomically(artifactPath(folder, name), content),
    readArtifact: (name) => readArtifactText(folder, name),
    digestArtifact: (name) => artifactDigest(folder, name),
    close: async () => {
      if (closed) return;
      closed = true;
      try {
        await journal.close();
        await events.close();
      } finally {
        lock.release();
      }
    },
  };
}
