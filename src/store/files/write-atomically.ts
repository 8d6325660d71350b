// Writes a whole file or nothing: temporary file in the same folder, fsync, rename, fsync of the folder.
import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { storageError } from './storage-error.ts';

const temporaryName = /\.(tmp-\d+|stale)-[0-9a-f]{8}$/;
const chunkCharacters = 1 << 18;

/** @throws ToolError `storage`; the target then is as it was before */
export async function writeAtomically(path: string, content: string | AsyncIterable<string>): Promise<void> {
  const temporary = `${path}.tmp-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    const file = await open(temporary, 'wx');
    try {
      for await (const chunk of inLargeChunks(content)) await file.writeFile(chunk);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw storageError('cannot write', path, error);
  }
  await syncFolder(dirname(path));
}

async function* inLargeChunks(content: string | AsyncIterable<string>): AsyncGenerator<string> {
  if (typeof content === 'string') {
    yield content;
    return;
  }
  let pending = '';
  for await (const part of content) {
    pending += part;
    if (pending.length >= chunkCharacters) {
      yield pending;
      pending = '';
    }
  }
  if (pending !== '') yield pending;
}

/** Makes a rename durable where the platform allows it (Windows does not open folders). */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // The rename itself is atomic; only its durability across a power cut is left to the file system.
  }
}

/** Removes what a process that was killed between write and rename has left behind. */
export async function removeTemporaryFiles(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (temporaryName.test(name)) await rm(join(folder, name), { force: true });
  }
}
