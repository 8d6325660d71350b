// Writes a whole file or nothing: temporary file in the same folder, fsync, rename, fsync of the folder.
import { randomBytes } from 'node:crypto';
import { type FileHandle, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { storageError } from './storage-error.ts';

const temporaryName = /\.(tmp-\d+|stale)-[0-9a-f]{8}$/;
const bufferBytes = 1 << 18;
/** UTF-8 bytes of a UTF-16 code unit at most. */
const maxBytesPerCharacter = 3;

/** @throws ToolError `storage`; the target then is as it was before */
export async function writeAtomically(path: string, content: string | AsyncIterable<string>): Promise<void> {
  const temporary = `${path}.tmp-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await writeAll(file, content);
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

async function writeAll(file: FileHandle, content: string | AsyncIterable<string>): Promise<void> {
  if (typeof content === 'string') return file.writeFile(content);
  // One buffer for all parts: a new one for each would pile up outside the heap.
  let buffer = Buffer.allocUnsafe(bufferBytes);
  let filled = 0;
  for await (const part of content) {
    const needed = part.length * maxBytesPerCharacter;
    if (filled + needed > buffer.length) {
      await writeBytes(file, buffer, filled);
      filled = 0;
      if (needed > buffer.length) buffer = Buffer.allocUnsafe(needed);
    }
    filled += buffer.write(part, filled);
  }
  await writeBytes(file, buffer, filled);
}

async function writeBytes(file: FileHandle, buffer: Buffer, length: number): Promise<void> {
  for (let offset = 0; offset < length; ) offset += (await file.write(buffer, offset, length - offset)).bytesWritten;
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
