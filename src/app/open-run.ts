// Finds a finished or unfinished run by id, by its folder, or by a record file, for verify, compare, record and report.
import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf, ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import type { RunPlan } from '../core/plan.ts';
import type { RunStore } from '../core/ports/run-store.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { parseRunRecord, type RunRecord } from '../core/record.ts';
import { factsFile, type RunFacts, runFactsSchema } from '../runner/run-facts.ts';
import { loadFileRunStore } from '../store/registry.ts';
import type { Workspace } from './workspace.ts';

export interface OpenedRun {
  readonly id: string;
  readonly folder: string | null;
  readonly record: RunRecord;
  readonly store: RunStore | null;
}

async function kindOf(path: string): Promise<'file' | 'folder' | 'none'> {
  const facts = await stat(path).catch(() => null);
  return facts === null ? 'none' : facts.isDirectory() ? 'folder' : 'file';
}

async function readRecordFile(path: string): Promise<RunRecord> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(path, 'utf8'));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') {
      throw new ToolError('not-found', `there is no record in ${dirname(path)}`, {
        hint: 'name the folder of a run; the same command as before finishes one that was cut off',
      });
    }
    throw new ToolError('data', `${path} is not readable JSON: ${messageOf(cause)}`, { cause });
  }
  const schema = (value as { schema?: unknown } | null)?.schema;
  if (typeof schema === 'string' && /^slmbench\/record\/\d+$/.test(schema) && schema !== 'slmbench/record/1') {
    throw new ToolError('data', `${path} has schema ${schema}; this slmbench reads slmbench/record/1`, { hint: 'use a newer slmbench' });
  }
  try {
    return parseRunRecord(value);
  } catch (cause) {
    if (!(cause instanceof z.ZodError)) throw cause;
    const issue = cause.issues[0]!;
    throw new ToolError('data', `${path} is not a record: ${issue.path.join('.')}: ${issue.message}`);
  }
}

/** The folder of the held-out run that a benchmark record in its own place (`<model>/benchmark/`) rests on; null for other files. */
async function testRunOf(path: string): Promise<string | null> {
  const text = await readFile(path, 'utf8').catch(() => '');
  if (!text.slice(0, 200).includes('"slmbench/benchmark/1"')) return null;
  const runId = /"runId": ?"([^"]+)"/.exec(text)?.[1];
  const folder = runId === undefined ? null : join(dirname(resolve(path)), '..', 'runs', basename(runId));
  if (folder !== null && (await kindOf(folder)) === 'folder') return folder;
  throw new ToolError('data', `${path} is a benchmark record without the run it rests on`, {
    hint: 'slmbench report shows and merges benchmark records; name the one in data/<dataset>/<model>/benchmark/, or a run folder',
  });
}

/** @throws ToolError `not-found` with the nearest run id, `data` when the record cannot be read */
export async function openRun(reference: string, workspace: Workspace): Promise<OpenedRun> {
  const kind = await kindOf(reference);
  if (kind === 'file') {
    const tested = await testRunOf(reference);
    if (tested !== null) return openRun(tested, workspace);
    const record = await readRecordFile(reference);
    return { id: record.id, folder: null, record, store: null };
  }
  const folder = kind === 'folder' ? resolve(reference) : join(workspace.runsFolder, basename(reference));
  if (kind === 'none' && (await kindOf(folder)) !== 'folder') {
    const store = await loadFileRunStore(workspace.runsFolder);
    const known = (await store.list().catch(() => [])).map((run) => run.runId);
    const latest = reference === 'latest' ? known.toSorted().at(-1) : undefined;
    if (latest !== undefined) return openRun(join(workspace.runsFolder, latest), workspace);
    throw new ToolError('not-found', `no run "${reference}" in ${workspace.runsFolder}`, { hint: suggestName(reference, known) });
  }
  const record = await readRecordFile(join(folder, 'record.json'));
  return { id: basename(folder), folder, record, store: await loadFileRunStore(dirname(folder)) };
}

function requireFolder(run: OpenedRun): { readonly folder: string; readonly store: RunStore } {
  if (run.folder === null || run.store === null) {
    throw new ToolError('usage', `${run.id} is a record without its run folder`, { hint: 'name the run folder: the journal is needed' });
  }
  return { folder: run.folder, store: run.store };
}

/** Final rows in plan order, streamed. */
export function readPredictions(run: OpenedRun): AsyncIterable<PredictionRow> {
  const { store } = requireFolder(run);
  return store.readRows(run.id);
}

export async function readPlanOf(run: OpenedRun): Promise<RunPlan> {
  return requireFolder(run).store.readPlan(run.id);
}

export async function readFactsOf(run: OpenedRun): Promise<RunFacts> {
  const path = join(requireFolder(run).folder, factsFile);
  return runFactsSchema.parse(JSON.parse(await readFile(path, 'utf8')));
}

/** sha256 of a file of the run folder; null where it is missing. */
export async function digestArtifactOf(run: OpenedRun, name: string): Promise<string | null> {
  return requireFolder(run).store.digestArtifact(run.id, name);
}
