// A split out of data files that lie on this machine or come through the sources room.
import type { DatasetProvenance } from '../core/dataset.ts';
import type { FileSource } from '../core/model.ts';
import { fetchFile } from '../sources/fetch-file.ts';
import type { SourceContext } from '../sources/source-context.ts';
import { redactUrl } from '../sources/source-reference.ts';
import { type FileNotes, noFileNotes, type SourceRow } from './formats/source-row.ts';
import type { LoadOptions } from './load-options.ts';
import type { LoadedSplit } from './make-dataset.ts';
import { makeSplit, type RowShape } from './make-split.ts';
import { type FileFormat, readRows } from './read-rows.ts';

export interface FilesToLoad {
  readonly split: string;
  readonly kind: DatasetProvenance['kind'];
  readonly reference: string;
  readonly files: readonly FileSource[];
  readonly format?: FileFormat | undefined;
  readonly shape?: RowShape | undefined;
  readonly column?: { readonly name: string; readonly values: readonly string[] } | undefined;
  readonly classNames?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly skipBadRows?: boolean | undefined;
}

/** The sources room's view of the options. */
export function contextOf(options: LoadOptions): SourceContext {
  const { offline, cacheDirectory, onProgress, signal, environment, urlsFrom } = options;
  return { offline, cacheDirectory, onProgress, signal, environment, urlsFrom };
}

/** Fetches the files in order and reads them as one split. */
export async function loadFiles(plan: FilesToLoad, options: LoadOptions): Promise<LoadedSplit> {
  const notes: FileNotes = noFileNotes();
  Object.assign(notes.classNames, plan.classNames);
  const digests: Record<string, string> = {};
  let revision: string | undefined;
  const rows = async function* (): AsyncGenerator<SourceRow> {
    for (const [index, source] of plan.files.entries()) {
      const file = await fetchFile([source], contextOf(options));
      digests[nameInRecord(source.reference)] = file.sha256;
      revision ??= file.revision;
      const added = plan.column === undefined ? undefined : { [plan.column.name]: plan.column.values[index]! };
      const read = readRows(file.path, {
        notes,
        signal: options.signal,
        encoding: options.encoding,
        skipBadRows: plan.skipBadRows ?? options.skipBadRows,
        format: plan.format ?? options.format,
      });
      if (added === undefined) yield* read;
      else for await (const row of read) yield { ...row, fields: { ...row.fields, ...added } };
    }
  };
  const split = await makeSplit(rows(), { name: plan.split, origin: redactUrl(plan.reference), notes, shape: plan.shape });
  return { split, kind: plan.kind, reference: redactUrl(plan.reference), ...(revision === undefined ? {} : { revision }), files: digests };
}

/** A local path may hold the user's name: the record keeps the file's own name only. */
function nameInRecord(reference: string): string {
  return reference.startsWith('file:') ? reference.split(/[\\/]/).at(-1)! : redactUrl(reference);
}
