// Rows of CSV and TSV files (RFC 4180): delimiter found on the header, quoted newlines kept, uneven rows named by line.
import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { messageOf, ToolError } from '../../core/errors.ts';
import { readBytes } from './byte-stream.ts';
import type { ReadOptions, SourceRow } from './source-row.ts';
import { markedEncoding, refuseUtf16 } from './text-encoding.ts';
import { maxLineBytes } from './text-lines.ts';

const delimiters = [',', ';', '\t', '|'] as const;

interface ParsedLine {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** @throws ToolError `data`: uneven rows, duplicate or empty column names, broken quotes, each with its line */
export async function* readCsvRows(path: string, options: ReadOptions): AsyncGenerator<SourceRow> {
  const text = decodeText(path, options);
  const head = await text.next();
  if (head.done) return;
  const pieces = async function* () {
    yield head.value;
    yield* text;
  };
  const parser = Readable.from(pieces()).pipe(
    parse({
      delimiter: sniffDelimiter(head.value),
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      max_record_size: maxLineBytes,
      record_delimiter: lineEnd(head.value),
    }),
  );
  let header: readonly string[] | undefined;
  let line = 1;
  try {
    for await (const { record, info } of parser as AsyncIterable<ParsedLine>) {
      const start = line;
      line = info.lines + 1;
      if (header === undefined) {
        header = checkHeader(record, path);
        continue;
      }
      if (record.length === header.length) {
        const names = header;
        yield { fields: Object.fromEntries(names.map((name, index) => [name, record[index]!])), line: start };
        continue;
      }
      const message = `${path}:${start}: line ${start} has ${record.length} ${record.length === 1 ? 'field' : 'fields'}, expected ${header.length}`;
      if (options.skipBadRows !== true) throw new ToolError('data', message, { location: { file: path, line: start } });
      options.notes.notes.push(`dropped: ${message}`);
    }
  } catch (thrown) {
    throw thrown instanceof CsvError ? quoteError(thrown, path) : thrown;
  }
}

async function* decodeText(path: string, options: ReadOptions): AsyncGenerator<string> {
  let decoder: TextDecoder | undefined;
  try {
    for await (const chunk of readBytes(path, options.signal)) {
      if (decoder === undefined && options.encoding === undefined) refuseUtf16(chunk, path, true);
      decoder ??= new TextDecoder(markedEncoding(chunk) ?? options.encoding ?? 'utf-8', { fatal: true });
      const text = decoder.decode(chunk, { stream: true });
      if (text !== '') yield text;
    }
    const rest = decoder?.decode() ?? '';
    if (rest !== '') yield rest;
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    throw new ToolError('data', `${path}: the bytes are not ${decoder?.encoding ?? 'text'}`, {
      cause: thrown,
      hint: 'save the file as UTF-8, for example: iconv -f latin1 -t utf-8 FILE',
    });
  }
}

/** The delimiter that stands most often on the header line outside quotes; the earlier in the list wins ties. */
export function sniffDelimiter(head: string): string {
  const counts = new Map<string, number>(delimiters.map((delimiter) => [delimiter, 0]));
  let isQuoted = false;
  for (const character of head) {
    if (character === '"') isQuoted = !isQuoted;
    else if (!isQuoted && (character === '\n' || character === '\r')) break;
    else if (!isQuoted && counts.has(character)) counts.set(character, counts.get(character)! + 1);
  }
  return delimiters.reduce((best, candidate) => (counts.get(candidate)! > counts.get(best)! ? candidate : best));
}

function lineEnd(head: string): string[] {
  return head.includes('\n') ? ['\r\n', '\n'] : ['\r'];
}

function checkHeader(names: readonly string[], path: string): readonly string[] {
  const trimmed = names.map((name) => name.trim());
  const location = { file: path, line: 1 };
  const twice = trimmed.find((name, index) => trimmed.indexOf(name) !== index);
  if (twice !== undefined)
    throw new ToolError('data', `${path}:1: duplicate column ${twice === '' ? '(empty name)' : twice}`, { location });
  return trimmed.map((name, index) => (name === '' ? `column${index + 1}` : name));
}

function quoteError(error: CsvError, path: string): ToolError {
  const line = (error as unknown as { lines?: number }).lines;
  return new ToolError('data', `${path}${line === undefined ? '' : `:${line}`}: ${messageOf(error)}`, {
    cause: error,
    location: { file: path, line },
    hint: 'a quote inside a quoted field is written twice',
  });
}
