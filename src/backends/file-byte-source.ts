// A file on disk as a byte source for the pure format readers.
import { open } from 'node:fs/promises';
import { messageOf, ToolError } from '../core/errors.ts';
import type { ByteSource } from '../formats/byte-source.ts';

/** Opens a file, hands it to `work`, closes it. @throws ToolError `not-found` or `storage` */
export async function withFileSource<T>(path: string, work: (source: ByteSource) => Promise<T>): Promise<T> {
  const handle = await open(path, 'r').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT')
      throw new ToolError('not-found', `there is no file ${path}`, {
        hint: 'check the path, and that every part of a split model is there',
        cause,
      });
    throw new ToolError('storage', `${path} cannot be read: ${messageOf(cause)}`, { cause });
  });
  try {
    const facts = await handle.stat();
    if (!facts.isFile()) throw new ToolError('usage', `${path} is not a file`, { hint: 'name the .gguf file itself' });
    const read = async (offset: number, length: number) => {
      const buffer = Buffer.allocUnsafe(length);
      let filled = 0;
      while (filled < length) {
        const { bytesRead } = await handle.read(buffer, filled, length - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return buffer.subarray(0, filled);
    };
    return await work({ sizeBytes: facts.size, read });
  } finally {
    await handle.close();
  }
}
