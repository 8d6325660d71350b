// Files as the pure format readers and writers see them.
import { type FileHandle, open } from 'node:fs/promises';
import { messageOf, ToolError } from '../core/errors.ts';
import type { ByteSource } from '../formats/byte-source.ts';

export async function readExactly(handle: FileHandle, offset: number, length: number): Promise<Uint8Array> {
  const buffer = Buffer.allocUnsafe(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return buffer.subarray(0, filled);
}

/** Opens a file, hands it to `work`, closes it. @throws ToolError `not-found` */
export async function withOpenFile<T>(
  path: string,
  work: (source: ByteSource, handle: FileHandle) => Promise<T>,
  flags: 'r' | 'r+' = 'r',
): Promise<T> {
  const handle = await open(path, flags).catch((cause: unknown) => {
    throw new ToolError('not-found', `${path} cannot be opened: ${messageOf(cause)}`, { cause });
  });
  try {
    const { size } = await handle.stat();
    return await work({ sizeBytes: size, read: (offset, length) => readExactly(handle, offset, length) }, handle);
  } finally {
    await handle.close();
  }
}

/** Writes a new file block by block. */
export async function writeBlocks(path: string, produce: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>): Promise<void> {
  const handle = await open(path, 'w');
  try {
    await produce(async (bytes) => {
      await handle.writeFile(bytes);
    });
  } finally {
    await handle.close();
  }
}
