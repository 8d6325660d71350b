// Lines of a text file of any size: split on LF as bytes, decoded line by line, one line capped.
import { ToolError } from '../../core/errors.ts';
import { readBytes } from './byte-stream.ts';
import type { ReadOptions } from './source-row.ts';
import { refuseUtf16 } from './text-encoding.ts';

export interface TextLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
}

/** One line may be a whole book, not a whole file. */
export const maxLineBytes = 256 * 1024 * 1024;

/** @throws ToolError `data` for a line over the cap or bytes that are not in the encoding, with file and line */
export async function* readLines(path: string, options: Pick<ReadOptions, 'signal' | 'encoding'> = {}): AsyncGenerator<TextLine> {
  let rest: Buffer[] = [];
  let restBytes = 0;
  let number = 0;
  let decoder = makeDecoder(options.encoding ?? 'utf-8', path);
  const toLine = (bytes: Buffer): TextLine => {
    number++;
    return { number, text: decode(decoder, bytes.at(-1) === 13 ? bytes.subarray(0, -1) : bytes, path, number) };
  };
  let isFirst = true;
  for await (const whole of readBytes(path, options.signal)) {
    let chunk = whole;
    if (isFirst) {
      refuseUtf16(chunk, path);
      if (chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf) {
        chunk = chunk.subarray(3);
        decoder = makeDecoder('utf-8', path);
      }
      isFirst = false;
    }
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      const part = chunk.subarray(start, end);
      yield toLine(rest.length === 0 ? part : Buffer.concat([...rest, part]));
      rest = [];
      restBytes = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      rest.push(Buffer.from(chunk.subarray(start)));
      restBytes += chunk.length - start;
      if (restBytes > maxLineBytes) {
        throw new ToolError('data', `${path}:${number + 1}: the line is longer than ${maxLineBytes / 2 ** 20} MiB`, {
          location: { file: path, line: number + 1 },
        });
      }
    }
  }
  if (restBytes > 0) yield toLine(Buffer.concat(rest));
}

function makeDecoder(encoding: string, path: string): TextDecoder {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true });
  } catch (thrown) {
    throw new ToolError('usage', `${path}: unknown text encoding "${encoding}"`, { cause: thrown, hint: 'for example utf-8 or latin1' });
  }
}

function decode(decoder: TextDecoder, bytes: Buffer, path: string, line: number): string {
  try {
    return decoder.decode(bytes);
  } catch (thrown) {
    throw new ToolError('data', `${path}:${line}: the bytes are not ${decoder.encoding}`, {
      cause: thrown,
      location: { file: path, line },
      hint: 'save the file as UTF-8, for example: iconv -f latin1 -t utf-8 FILE',
    });
  }
}
