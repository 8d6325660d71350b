// Rows of one data file, read by the format that its content and name show. Heavy readers load only when needed.
import { ToolError } from '../core/errors.ts';
import { readHead } from './formats/byte-stream.ts';
import type { ReadOptions, SourceRow } from './formats/source-row.ts';

export const fileFormats = ['jsonl', 'json', 'csv', 'parquet', 'arrow', 'text', 'labelled-lines'] as const;
export type FileFormat = (typeof fileFormats)[number];

const endings: readonly (readonly [RegExp, FileFormat])[] = [
  [/\.(jsonl|ndjson)$/i, 'jsonl'],
  [/\.json$/i, 'json'],
  [/\.(csv|tsv|tab)$/i, 'csv'],
  [/\.parquet$/i, 'parquet'],
  [/\.(arrow|feather|ipc|arrows)$/i, 'arrow'],
  [/\.(txt|text|md)$/i, 'text'],
];

/** The format that a file name shows, `.gz` left out; undefined for an unknown ending. */
export function formatOfName(name: string): FileFormat | undefined {
  const bare = name.replace(/\.gz$/i, '');
  return endings.find(([ending]) => ending.test(bare))?.[1];
}

/**
 * Streams the rows of a file: memory stays flat for JSON Lines, CSV, Parquet, Arrow and text of any size.
 * @throws ToolError `data` with file and line, `unsupported` for an unknown format
 */
export async function* readRows(
  path: string,
  options: ReadOptions & { readonly format?: FileFormat | undefined },
): AsyncGenerator<SourceRow> {
  const format = options.format ?? (await sniffFormat(path));
  switch (format) {
    case 'jsonl':
    case 'json':
      return yield* (await import('./formats/json-rows.ts')).readJsonRows(path, options);
    case 'csv':
      return yield* (await import('./formats/csv-rows.ts')).readCsvRows(path, options);
    case 'parquet':
      return yield* (await import('./formats/parquet-rows.ts')).readParquetRows(path, options);
    case 'arrow':
      return yield* (await import('./formats/arrow-rows.ts')).readArrowRows(path, options);
    case 'text':
      return yield* (await import('./formats/text-rows.ts')).readTextRows(path, options);
    case 'labelled-lines':
      return yield* (await import('./formats/text-rows.ts')).readLabelledLines(path, options);
  }
}

async function sniffFormat(path: string): Promise<FileFormat> {
  const head = await readHead(path, 8);
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet';
  if (head.subarray(0, 6).toString('latin1') === 'ARROW1') return 'arrow';
  const named = formatOfName(path);
  if (named !== undefined) return named;
  if (/^\s*[[{]/.test(head.toString('utf8'))) return 'jsonl';
  throw new ToolError('unsupported', `${path}: unknown data format`, {
    hint: `known endings: .jsonl .json .csv .tsv .parquet .arrow .txt, each also with .gz`,
  });
}
