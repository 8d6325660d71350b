// Writes what the user named: a file whole or not at all, a folder with its parents.
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, ToolError } from '../../core/errors.ts';
import { writeFileAtomic } from '../../sources/write-file-atomic.ts';

/** Level by level: Node's own recursive form never returns on file systems that refuse new folders as missing (/proc). */
async function makeLevels(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST' && (await stat(path)).isDirectory()) return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeLevels(dirname(path));
    await mkdir(path).catch(async (again: NodeJS.ErrnoException) => {
      if (again.code !== 'EEXIST') throw again;
    });
  }
}

/** @throws ToolError `storage` naming the path */
export async function makeFolder(path: string, hint?: string): Promise<void> {
  try {
    await makeLevels(path);
  } catch (cause) {
    throw new ToolError('storage', `cannot write ${path}: ${messageOf(cause)}`, { cause, hint });
  }
}

/** @throws ToolError `storage` naming the path */
export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  await makeFolder(dirname(path));
  try {
    await writeFileAtomic(path, content);
  } catch (cause) {
    throw new ToolError('storage', `cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
}
