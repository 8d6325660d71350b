// Turns the system's "cannot write here" into one clear error.
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolError } from '../core/errors.ts';

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'no permission to write',
  EPERM: 'no permission to write',
  ENOTDIR: 'a part of the path is a file',
};

/** A `storage` error for a failed write, or the thrown value itself when it is of another kind. */
export function asStorageError(thrown: unknown, path: string): unknown {
  const code = (thrown as NodeJS.ErrnoException | undefined)?.code ?? '';
  const reason = reasons[code];
  if (reason === undefined) return thrown;
  return new ToolError('storage', `cannot write ${path}: ${reason} (${code})`, {
    cause: thrown,
    hint: 'free space, or set SLMBENCH_CACHE (HF_HOME for hub files) to a folder on another disk',
  });
}

/** @throws ToolError `storage` when fewer bytes are free than are needed (where the system can tell) */
export async function assertFreeSpace(path: string, neededBytes: number): Promise<void> {
  const facts = await statfs(dirname(path)).catch(() => undefined);
  if (facts === undefined) return;
  const freeBytes = facts.bavail * facts.bsize;
  if (freeBytes >= neededBytes) return;
  throw new ToolError('storage', `cannot write ${path}: needs ${megabytes(neededBytes)}, the disk has ${megabytes(freeBytes)} free`, {
    hint: 'free space, or set SLMBENCH_CACHE (HF_HOME for hub files) to a folder on another disk',
  });
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
