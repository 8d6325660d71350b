// The runs of a folder from their small summaries, without reading plans or records.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunSummary } from '../../core/ports/run-store.ts';
import { readSummary } from './run-summary.ts';
import { isMissing, storageError } from './storage-error.ts';

/** Newest first; with `digestPart` only ids that contain it. */
export async function listRuns(rootFolder: string, digestPart?: string): Promise<readonly RunSummary[]> {
  let names: string[];
  try {
    names = await readdir(rootFolder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw storageError('cannot read', rootFolder, error);
  }
  const runs: RunSummary[] = [];
  for (const name of names.sort().reverse()) {
    if (digestPart !== undefined && !name.includes(digestPart)) continue;
    const summary = await readSummary(join(rootFolder, name), name);
    if (summary !== null) runs.push(summary);
  }
  return runs;
}
