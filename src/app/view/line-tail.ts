// Reads the whole lines that a growing file has got since the last look, with their places, through one buffer.
import { type FileHandle, open } from 'node:fs/promises';

const chunkBytes = 1 << 18;
const lineFeed = 10;

export type LineVisitor = (text: string, offset: number, byteLength: number) => void;

/** @returns the offset behind the last whole line; a torn last line is left for the next look */
export async function readNewLines(path: string, from: number, visit: LineVisitor): Promise<number> {
  const file = await open(path, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  if (file === null) return from;
  try {
    return await visitLines(file, from, visit);
  } finally {
    await file.close();
  }
}

async function visitLines(file: FileHandle, from: number, visit: LineVisitor): Promise<number> {
  let buffer = Buffer.allocUnsafe(chunkBytes);
  let filled = 0;
  let start = from;
  for (;;) {
    if (filled === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
    const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, start + filled);
    if (bytesRead === 0) return start;
    const end = filled + bytesRead;
    let at = 0;
    for (let feed = buffer.subarray(0, end).indexOf(lineFeed, filled); feed !== -1; feed = buffer.subarray(0, end).indexOf(lineFeed, at)) {
      visit(buffer.toString('utf8', at, feed), start + at, feed - at);
      at = feed + 1;
    }
    buffer.copyWithin(0, at, end);
    filled = end - at;
    start += at;
  }
}

/** One line at a known place. */
export async function readLineAt(file: FileHandle, offset: number, byteLength: number): Promise<string> {
  const bytes = Buffer.allocUnsafe(byteLength);
  const { bytesRead } = await file.read(bytes, 0, byteLength, offset);
  return bytes.toString('utf8', 0, bytesRead);
}
