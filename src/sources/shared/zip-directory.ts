// Reads the table of contents of a zip file (APPNOTE 6.3.x, also zip64) without reading the file itself.
import type { FileHandle } from 'node:fs/promises';
import { ToolError } from '../../core/errors.ts';

export interface ZipMember {
  readonly name: string;
  readonly compression: 'stored' | 'deflated';
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  readonly crc32: number;
  readonly headerOffset: number;
}

const endSignature = 0x06054b50;
const end64LocatorSignature = 0x07064b50;
const end64Signature = 0x06064b50;
const entrySignature = 0x02014b50;
const full32 = 0xffffffff;

/** @throws ToolError `integrity` when the file is no whole zip */
export async function readZipDirectory(handle: FileHandle, path: string): Promise<readonly ZipMember[]> {
  const { size } = await handle.stat();
  const tail = await readAt(handle, Math.max(0, size - 66_000), Math.min(size, 66_000));
  const end = findEnd(tail);
  if (end < 0) throw new ToolError('integrity', `${path} is no zip file, or is cut short`);
  let count = tail.readUInt16LE(end + 10);
  let length = tail.readUInt32LE(end + 12);
  let offset = tail.readUInt32LE(end + 16);
  if (count === 0xffff || length === full32 || offset === full32) {
    const locator = end - 20;
    if (locator < 0 || tail.readUInt32LE(locator) !== end64LocatorSignature) throw new ToolError('integrity', `${path}: broken zip64 end`);
    const end64 = await readAt(handle, Number(tail.readBigUInt64LE(locator + 8)), 56);
    if (end64.readUInt32LE(0) !== end64Signature) throw new ToolError('integrity', `${path}: broken zip64 end`);
    count = Number(end64.readBigUInt64LE(32));
    length = Number(end64.readBigUInt64LE(40));
    offset = Number(end64.readBigUInt64LE(48));
  }
  if (offset + length > size) throw new ToolError('integrity', `${path}: the zip directory lies outside the file`);
  return parseEntries(await readAt(handle, offset, length), count, path);
}

function findEnd(tail: Buffer): number {
  for (let at = tail.length - 22; at >= 0; at--) if (tail.readUInt32LE(at) === endSignature) return at;
  return -1;
}

function parseEntries(directory: Buffer, count: number, path: string): ZipMember[] {
  const members: ZipMember[] = [];
  let at = 0;
  for (let index = 0; index < count; index++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== entrySignature)
      throw new ToolError('integrity', `${path}: broken zip directory`);
    const method = directory.readUInt16LE(at + 10);
    const nameLength = directory.readUInt16LE(at + 28);
    const extraLength = directory.readUInt16LE(at + 30);
    const sizes = [directory.readUInt32LE(at + 24), directory.readUInt32LE(at + 20), directory.readUInt32LE(at + 42)];
    const extra = directory.subarray(at + 46 + nameLength, at + 46 + nameLength + extraLength);
    const [sizeBytes, compressedBytes, headerOffset] = widen(sizes, extra);
    const name = directory.toString('utf8', at + 46, at + 46 + nameLength);
    if (method === 0 || method === 8) {
      const compression = method === 0 ? 'stored' : 'deflated';
      members.push({
        name,
        compression,
        compressedBytes: compressedBytes!,
        sizeBytes: sizeBytes!,
        crc32: directory.readUInt32LE(at + 16),
        headerOffset: headerOffset!,
      });
    }
    at += 46 + nameLength + extraLength + directory.readUInt16LE(at + 32);
  }
  return members;
}

/** Values of 0xffffffff stand in the zip64 extra field instead, in this order. */
function widen(values: readonly number[], extra: Buffer): number[] {
  let at = 0;
  while (at + 4 <= extra.length && extra.readUInt16LE(at) !== 1) at += 4 + extra.readUInt16LE(at + 2);
  at += 4;
  return values.map((value) => {
    if (value !== full32 || at + 8 > extra.length) return value;
    at += 8;
    return Number(extra.readBigUInt64LE(at - 8));
  });
}

export async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(buffer, done, length - done, position + done);
    if (bytesRead === 0) throw new ToolError('integrity', 'the zip file ends too early');
    done += bytesRead;
  }
  return buffer;
}
