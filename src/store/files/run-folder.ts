// Names in the folder of one run.
import { join } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import { safeFileName } from '../../core/names.ts';

export const runFiles = {
  plan: 'plan.json',
  journal: 'journal.jsonl',
  events: 'events.jsonl',
  record: 'record.json',
  summary: 'summary.json',
} as const;

const ownNames: ReadonlySet<string> = new Set([...Object.values(runFiles), 'lock']);

/** Folder of a run; ids come from users and files, so anything but a plain name is refused. */
export function runFolder(rootFolder: string, runId: string): string {
  if (runId !== safeFileName(runId)) throw new ToolError('usage', `"${runId}" is not a run id`, { hint: 'slmbench list runs shows them' });
  return join(rootFolder, runId);
}

/** Path of a further artifact; refuses names that leave the folder or belong to the store itself. */
export function artifactPath(folder: string, name: string): string {
  if (name !== safeFileName(name)) throw new ToolError('internal', `"${name}" is not a plain file name`);
  if (ownNames.has(name)) throw new ToolError('internal', `"${name}" is written by the run store itself`);
  return join(folder, name);
}
