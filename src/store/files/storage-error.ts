// Turns errno failures of the file system into errors that say which path, what happened and what to do.
import { type ErrorCode, messageOf, ToolError } from '../../core/errors.ts';

const explanations: Readonly<Record<string, readonly [what: string, hint: string]>> = {
  ENOSPC: ['the disk is full', 'free some space and run the same command again: finished samples are kept'],
  EDQUOT: ['the disk quota is used up', 'free some space and run the same command again: finished samples are kept'],
  EFBIG: ['the file would be too large for this file system', 'choose another output folder'],
  EROFS: ['the file system is read-only', 'choose another output folder'],
  EACCES: ['permission denied', 'choose a folder that you may write to'],
  EPERM: ['permission denied', 'choose a folder that you may write to'],
  ENOTDIR: ['a part of the path is a file, not a folder', 'choose another output folder'],
  EEXIST: ['it exists already and is not a folder', 'choose another output folder'],
  ENAMETOOLONG: ['the path is too long', 'choose a shorter output folder'],
  EIO: ['the device reported an input/output error', 'check the disk'],
};

/** @param action - what was tried, e.g. `cannot write` */
export function storageError(action: string, path: string, cause: unknown, code: ErrorCode = 'storage'): ToolError {
  if (ToolError.isInstance(cause)) return cause;
  const errno = (cause as NodeJS.ErrnoException | null)?.code ?? '';
  const known = explanations[errno];
  return new ToolError(code, `${action} ${path}: ${known?.[0] ?? messageOf(cause)}`, { cause, hint: known?.[1] });
}

/** True for `no such file or folder`. */
export function isMissing(thrown: unknown): boolean {
  const code = (thrown as NodeJS.ErrnoException | null)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
