// Reads JSON Lines of any size in constant memory; a torn last line (no line end) is left out.
import { open } from 'node:fs/promises';
import { messageOf, ToolError } from '../../core/errors.ts';
import { isMissing, storageError } from './storage-error.ts';

const chunkBytes = 1 << 18;
const lineFeed = 10;

/**
 * Values of the whole lines of a file, in order; none when the file does not exist.
 * @throws ToolError `integrity` with file and line when a whole line is not JSON or `check` refuses it
 */
export async function* readJsonLines<T>(path: string, check: (value: unknown) => T): AsyncGenerator<T> {
  let line = 0;
  // Lines arrive in batches: one asynchronous step per row is enough.
  for await (const batch of wholeLines(path)) {
    for (const text of batch) {
      line++;
      if (text.length > 0) yield parseLine(path, line, text, check);
    }
  }
}

function parseLine<T>(path: string, line: number, text: string, check: (value: unknown) => T): T {
  try {
    return check(JSON.parse(text));
  } catch (error) {
    throw new ToolError('integrity', `${path}:${line}: damaged line: ${messageOf(error)}`, {
      cause: error,
      location: { file: path, line },
    });
  }
}

async function* wholeLines(path: string): AsyncGenerator<readonly string[]> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw storageError('cannot read', path, error);
  });
  if (file === null) return;
  try {
    // One buffer for the whole file: fresh ones would pile up outside the heap faster than they are collected.
    let buffer = Buffer.allocUnsafe(chunkBytes);
    let filled = 0;
    for (;;) {
      if (filled === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafe(buffer.length)]);
      const { bytesRead } = await file.read(buffer, filled, buffer.length - filled, null);
      if (bytesRead === 0) return;
      const end = filled + bytesRead;
      const lines: string[] = [];
      let start = 0;
      for (let at = buffer.indexOf(lineFeed, filled); at !== -1 && at < end; at = buffer.indexOf(lineFeed, start)) {
        lines.push(buffer.toString('utf8', start, at));
        start = at + 1;
      }
      if (lines.length > 0) yield lines;
      buffer.copyWithin(0, start, end);
      filled = end - start;
    }
  } finally {
    await file.close();
  }
}
