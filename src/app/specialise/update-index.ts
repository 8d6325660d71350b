// Writes the results table of all published benchmarks between the markers of a Markdown file, or says how it has drifted.
import { readFile, stat } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import { indexDrift, indexEnd, indexStart, indexTable, writeIndex } from '../../report/benchmark/index-table.ts';
import { readBenchmarks } from './read-benchmark.ts';
import { writeOutput } from './write-output.ts';

export interface IndexOptions {
  /** The Markdown file. */
  readonly file: string;
  /** Folders or files with records. */
  readonly records: readonly string[];
  /** Change nothing; tell the drift. */
  readonly check: boolean;
}

export interface IndexResult {
  readonly entries: number;
  /** Lines that differ; empty when the index says what the records say. */
  readonly drift: readonly string[];
}

/** A new file gets a heading and the markers. */
const empty = `# Benchmarks\n\n${indexStart}\n${indexEnd}\n`;

/** @throws ToolError `data` where the markers are missing, `not-found` without records */
export async function updateIndex({ file, records, check }: IndexOptions): Promise<IndexResult> {
  const found = (await readBenchmarks(records)).filter(({ record }) => !record.smoke);
  const folder = dirname(resolve(file));
  const exists = (await stat(file).catch(() => null)) !== null;
  if (!exists && check) throw new ToolError('not-found', `there is no file ${file}`, { hint: `slmbench index ${file} writes it` });
  const current = exists ? await readFile(file, 'utf8') : empty;
  const table = indexTable(
    found.map(({ record, file: path }) => ({
      record,
      reportPath: relative(folder, resolve(path))
        .split(sep)
        .join('/')
        .replace(/\.json$/, '.md'),
    })),
  );
  const wanted = writeIndex(current, table);
  if (!check && wanted !== current) await writeOutput(file, wanted);
  return { entries: found.length, drift: wanted === current ? [] : indexDrift(current, wanted) };
}
