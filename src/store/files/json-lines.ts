// Reads JSON Lines of any size in constant memory; a torn last line (no line end) is left out.
import { open } from 'node:fs/promises';
import { messageOf, ToolError } from '../../core/errors.ts';
import { isMissing, storageError } from './storage-error.ts';

const chunkBytes = 1 << 20;
const lineFeed = 10;

/**
 * Values of the whole lines of a file, in order; none when the file does not exist.
 * @throws ToolError `integrity` with file and line when a whole line is not JSON or `check` refuses it
 */
export async function* readJsonLines<T>(path: string, check: (value: unknown) => T): AsyncGenerator<T> {
  let line = 0;
  for await (const text of wholeLines(path)) {
    line++;
    if (text.length === 0) continue;
    let value: T;
    try {
      value = check(JSON.parse(text));
    } catch (error) {
      throw new ToolError('integrity', `${path}:${line}: damaged line: ${messageOf(error)}`, {
        cause: error,
        location: { file: path, line },
      });
    }
    yield value;
  }
}

async function* wholeLines(path: string): AsyncGenerator<string> {
  const file = await open(path, 'r').catch((error: unknown) => {
    if (isMissing(error)) return null;
    throw storageError('cannot read', path, error);
  });
  if (file === null) return;
  try {
    let rest: Buffer = Buffer.alloc(0);
    for (;;) {
      const chunk = Buffer.allocUnsafe(chunkBytes);
      const { bytesRead } = await file.read(chunk, 0, chunkBytes, null);
      if (bytesRead === 0) return;
      const block = rest.length === 0 ? chunk.subarray(0, bytesRead) : Buffer.concat([rest, chunk.subarray(0, bytesRead)]);
      let start = 0;
      for (let end = block.indexOf(lineFeed); end !== -1; end = block.indexOf(lineFeed, start)) {
        yield block.toString('utf8', start, end);
        start = end + 1;
      }
      rest = block.subarray(start);
    }
  } finally {
    await file.close();
  }
}
