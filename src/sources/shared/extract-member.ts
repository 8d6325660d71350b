// Streams one member out of a zip file: memory stays flat whatever its size, the checksum is checked.
import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import { PassThrough } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createInflateRaw } from 'node:zlib';
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';
import { readAt, readZipDirectory, type ZipMember } from './zip-directory.ts';

export interface ExtractOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onBytes?: ((doneBytes: number, totalBytes: number) => void) | undefined;
}

/**
 * Writes member `name` of a zip file to `target` (made or overwritten) and returns its sha256.
 * @throws ToolError `not-found` (with the nearest member), `integrity` on a wrong size or checksum
 */
export async function extractMember(
  zipPath: string,
  name: string,
  target: string,
  options: ExtractOptions = {},
): Promise<{ sha256: string; sizeBytes: number }> {
  const zip = await open(zipPath, 'r');
  try {
    const members = await readZipDirectory(zip, zipPath);
    const member = members.find((candidate) => candidate.name === name);
    if (member === undefined) {
      throw new ToolError('not-found', `the archive has no file "${name}"`, {
        hint: suggestName(
          name,
          members.map((candidate) => candidate.name),
        ),
      });
    }
    const output = await open(target, 'w');
    try {
      return await copyMember(zip, member, output, options);
    } finally {
      await output.close();
    }
  } finally {
    await zip.close();
  }
}

async function copyMember(zip: FileHandle, member: ZipMember, output: FileHandle, options: ExtractOptions) {
  const hash = createHash('sha256');
  const tally = { sizeBytes: 0, crc: 0 };
  const unpack = member.compression === 'stored' ? new PassThrough() : createInflateRaw({ chunkSize: 1 << 18 });
  try {
    await pipeline(
      readCompressed(zip, member),
      unpack,
      (chunks: AsyncIterable<Buffer>) => writeChunks(chunks, member, output, hash, tally, options),
      {
        ...(options.signal === undefined ? {} : { signal: options.signal }),
      },
    );
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code?.startsWith('Z_'))
      throw new ToolError('integrity', `"${member.name}" is damaged inside the archive`, { cause: thrown });
    throw thrown;
  }
  if (tally.sizeBytes !== member.sizeBytes || tally.crc !== member.crc32)
    throw new ToolError('integrity', `"${member.name}" is damaged inside the archive`);
  return { sha256: hash.digest('hex'), sizeBytes: tally.sizeBytes };
}

async function* readCompressed(zip: FileHandle, member: ZipMember): AsyncGenerator<Buffer> {
  const header = await readAt(zip, member.headerOffset, 30);
  if (header.readUInt32LE(0) !== 0x04034b50) throw new ToolError('integrity', `"${member.name}": broken local header`);
  const start = member.headerOffset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  const step = 1 << 20;
  for (let done = 0; done < member.compressedBytes; done += step) {
    yield await readAt(zip, start + done, Math.min(step, member.compressedBytes - done));
  }
}

async function writeChunks(
  chunks: AsyncIterable<Buffer>,
  member: ZipMember,
  output: FileHandle,
  hash: Hash,
  tally: { sizeBytes: number; crc: number },
  options: ExtractOptions,
): Promise<void> {
  for await (const chunk of chunks) {
    tally.sizeBytes += chunk.length;
    // A member that unpacks to more than it says is a zip bomb or damaged.
    if (tally.sizeBytes > member.sizeBytes)
      throw new ToolError('integrity', `"${member.name}" unpacks to more than its ${member.sizeBytes} bytes`);
    hash.update(chunk);
    tally.crc = crc32(chunk, tally.crc);
    for (let done = 0; done < chunk.length; ) done += (await output.write(chunk, done)).bytesWritten;
    options.onBytes?.(tally.sizeBytes, member.sizeBytes);
  }
}
