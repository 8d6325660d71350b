// A folder of text files, one row a file: `train/pos/1.txt` is a row of split "train" with label "pos".
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { ToolError } from '../core/errors.ts';
import { noFileNotes, type SourceRow } from './formats/source-row.ts';
import { refuseUtf16 } from './formats/text-encoding.ts';
import type { LoadOptions } from './load-options.ts';
import type { LoadedSplit } from './make-dataset.ts';
import { makeSplit } from './make-split.ts';
import { splitOfPath } from './split-name.ts';

export interface TextFile {
  /** Relative to the folder, with slashes. */
  readonly name: string;
  /** Nearest folder that is no split; undefined for a file beside its split's others. */
  readonly label: string | undefined;
}

const isSplitFolder = (name: string): boolean => splitOfPath(name) !== undefined && /^[a-z]+$/i.test(name);

/** Text files by split, in the order of their names; links are left alone. Empty where the folder has none. */
export async function textFilesOf(folder: string): Promise<Map<string, TextFile[]>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isFile() && /\.txt$/i.test(entry.name))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .sort();
  const splits = new Map<string, TextFile[]>();
  for (const name of names) {
    const folders = name.split('/').slice(0, -1);
    const splitFolder = folders.find(isSplitFolder);
    const split = splitFolder === undefined ? 'test' : splitOfPath(splitFolder)!;
    const label = folders.findLast((part) => !isSplitFolder(part));
    splits.set(split, [...(splits.get(split) ?? []), { name, label }]);
  }
  return splits;
}

/** @throws ToolError `data` for a file that is not text in the encoding */
export async function loadTextFolder(
  folder: string,
  split: string,
  files: readonly TextFile[],
  options: LoadOptions,
): Promise<LoadedSplit> {
  const digest = createHash('sha256');
  const decoder = new TextDecoder(options.encoding ?? 'utf-8', { fatal: true });
  const rows = async function* (): AsyncGenerator<SourceRow> {
    for (const { name, label } of files) {
      const path = join(folder, name);
      const bytes = await readFile(path);
      if (options.encoding === undefined) refuseUtf16(bytes, path);
      digest.update(`${name}\0${bytes.length}\0`).update(bytes);
      yield { fields: { text: decode(decoder, bytes, path), file: name, ...(label === undefined ? {} : { label }) } };
    }
  };
  const reference = basename(folder);
  const made = await makeSplit(rows(), { name: split, origin: reference, notes: noFileNotes() });
  return { split: made, kind: 'file', reference, files: { [`${reference}/**/*.txt`]: digest.digest('hex') } };
}

function decode(decoder: TextDecoder, bytes: Uint8Array, path: string): string {
  try {
    return decoder.decode(bytes).trim();
  } catch (cause) {
    throw new ToolError('data', `${path}: the bytes are not ${decoder.encoding}`, {
      cause,
      hint: 'save the file as UTF-8, for example: iconv -f latin1 -t utf-8 FILE',
    });
  }
}
