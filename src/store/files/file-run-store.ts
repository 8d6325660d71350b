// Runs kept as folders of plain files: readable with any tool, safe to copy, resumed after a crash.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';
import type { RunPlan } from '../../core/plan.ts';
import { runPlanSchema } from '../../core/plan.ts';
import type { RunStore, RunSummary } from '../../core/ports/run-store.ts';
import { parsePredictionRow } from '../../core/prediction.ts';
import { parseRunRecord } from '../../core/record.ts';
import { newRunId } from '../shared/run-id.ts';
import { artifactDigest, readArtifactText } from './artifact.ts';
import { openFileRunWriter } from './file-run-writer.ts';
import { readJsonLines } from './json-lines.ts';
import { listRuns } from './list-runs.ts';
import { makeWritable } from './make-writable.ts';
import { runFiles, runFolder } from './run-folder.ts';
import { takeRunLock } from './run-lock.ts';
import { readSummary, summaryOf, writeSummary } from './run-summary.ts';
import { storageError } from './storage-error.ts';
import { removeTemporaryFiles, writeAtomically } from './write-atomically.ts';

const idAttempts = 20;

/**
 * @param rootFolder - the folder that holds the run folders; made when the first run is opened
 * @example const store = openFileRunStore('runs'); const { writer, resumed } = await store.open(plan, { fresh: false });
 */
export function openFileRunStore(rootFolder: string): RunStore {
  return {
    open: async (plan, { fresh }) => {
      await makeWritable(rootFolder, 'output folder');
      return openRun(rootFolder, plan, fresh);
    },
    list: () => listRuns(rootFolder),
    readPlan: async (runId) => readDocument(rootFolder, runId, runFiles.plan, (value) => runPlanSchema.parse(value)),
    readRecord: async (runId) => readDocument(rootFolder, runId, runFiles.record, parseRunRecord),
    readRows: (runId) => readJsonLines(join(runFolder(rootFolder, runId), runFiles.journal), parsePredictionRow),
    readArtifact: async (runId, name) => readArtifactText(runFolder(rootFolder, runId), name),
    digestArtifact: async (runId, name) => artifactDigest(runFolder(rootFolder, runId), name),
  };
}

async function openRun(rootFolder: string, plan: RunPlan, fresh: boolean): ReturnType<RunStore['open']> {
  const unfinished = fresh ? undefined : await newestUnfinished(rootFolder, plan.digest);
  const runId = unfinished?.runId ?? (await createRun(rootFolder, plan));
  const folder = join(rootFolder, runId);
  const lock = takeRunLock(folder);
  try {
    // Its holder may have finished it between the look at its status and the lock.
    if ((await readSummary(folder, runId))?.status === 'complete') {
      lock.release();
      return await openRun(rootFolder, plan, fresh);
    }
    await removeTemporaryFiles(folder);
    return { writer: openFileRunWriter({ folder, runId, plan, lock }), resumed: unfinished !== undefined };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function createRun(rootFolder: string, plan: RunPlan): Promise<string> {
  for (let attempt = 0; attempt < idAttempts; attempt++) {
    const now = new Date();
    const runId = newRunId(plan.digest, now);
    const folder = join(rootFolder, runId);
    try {
      await mkdir(folder);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue;
      throw storageError('cannot create', folder, error);
    }
    await writeAtomically(join(folder, runFiles.plan), `${JSON.stringify(plan, null, 1)}\n`);
    await writeSummary(folder, summaryOf(plan, now.toISOString(), 'unfinished'));
    return runId;
  }
  throw new ToolError('storage', `cannot find a free run id in ${rootFolder}`);
}

/** A failed or partial run counts as unfinished: the same command retries its errors. */
async function newestUnfinished(rootFolder: string, planDigest: string): Promise<RunSummary | undefined> {
  const runs = await listRuns(rootFolder, planDigest.slice(0, 8));
  return runs.find((run) => run.planDigest === planDigest && run.status !== 'complete');
}

async function readDocument<T>(rootFolder: string, runId: string, file: string, check: (value: unknown) => T): Promise<T> {
  const folder = runFolder(rootFolder, runId);
  const text = await readArtifactText(folder, file);
  if (text === null) throw await missingDocument(rootFolder, runId, file);
  try {
    return check(JSON.parse(text));
  } catch (error) {
    const path = join(folder, file);
    throw new ToolError('integrity', `${path} is damaged: ${messageOf(error)}`, { cause: error, location: { file: path } });
  }
}

async function missingDocument(rootFolder: string, runId: string, file: string): Promise<ToolError> {
  const known = (await listRuns(rootFolder)).map((run) => run.runId);
  if (known.includes(runId))
    return new ToolError('not-found', `run ${runId} has no ${file} yet`, { hint: 'run the same command again to finish it' });
  return new ToolError('not-found', `unknown run "${runId}" in ${rootFolder}`, { hint: suggestName(runId, known) });
}
