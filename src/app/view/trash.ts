// Deleted runs are moved aside in the runs folder, so that a slip can be undone; the user empties it.
import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf, ToolError } from '../../core/errors.ts';
import { isHeld } from './run-state.ts';

export const trashFolder = '.trash';

/** @throws ToolError `locked` while a process holds the run */
export async function moveToTrash(runsFolder: string, id: string): Promise<void> {
  const folder = join(runsFolder, id);
  if (isHeld(folder)) throw new ToolError('locked', `run ${id} is going on`, { hint: 'stop it first, then delete it' });
  try {
    await mkdir(join(runsFolder, trashFolder), { recursive: true });
    await rename(folder, join(runsFolder, trashFolder, id));
  } catch (cause) {
    throw new ToolError('storage', `cannot delete run ${id}: ${messageOf(cause)}`, { cause });
  }
}

/** @throws ToolError `not-found` when it is not in the trash, `storage` when the place is taken */
export async function restoreFromTrash(runsFolder: string, id: string): Promise<void> {
  const kept = join(runsFolder, trashFolder, id);
  if ((await stat(kept).catch(() => null)) === null) throw new ToolError('not-found', `run ${id} is not in ${trashFolder}`);
  if ((await stat(join(runsFolder, id)).catch(() => null)) !== null) throw new ToolError('storage', `a run ${id} exists`);
  try {
    await rename(kept, join(runsFolder, id));
  } catch (cause) {
    throw new ToolError('storage', `cannot restore run ${id}: ${messageOf(cause)}`, { cause });
  }
}
