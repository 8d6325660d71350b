// Writes a file that the user named, whole or not at all.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { messageOf, ToolError } from '../../core/errors.ts';
import { writeFileAtomic } from '../../sources/write-file-atomic.ts';

/** @throws ToolError `storage` naming the path */
export async function writeOutput(path: string, content: string | Uint8Array): Promise<void> {
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFileAtomic(path, content);
  } catch (cause) {
    throw new ToolError('storage', `cannot write ${path}: ${messageOf(cause)}`, { cause });
  }
}
