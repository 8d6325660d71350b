// A split out of data files that lie on this machine or come through the sources room.
import { basename } from 'node:path';
import type { DatasetProvenance } from '../core/dataset.ts';
import type { FileSource } from '../core/model.ts';
import { fetchFile } from '../sources/fetch-file.ts';
import { findInHubCache } from '../sources/hf/hub-cache.ts';
import { type HubRanges, openHubRanges } from '../sources/hf/open-hub-ranges.ts';
import { environmentOf, type SourceContext } from '../sources/source-context.ts';
import { parseSourceReference, redactUrl } from '../sources/source-reference.ts';
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
  /** Member of a JSON file that holds the split. */
  readonly member?: string | undefined;
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
  const readOptions = {
    notes,
    signal: options.signal,
    encoding: options.encoding,
    skipBadRows: plan.skipBadRows ?? options.skipBadRows,
    format: plan.format ?? options.format,
    member: plan.member,
  };
  const readOne = async function* (source: FileSource): AsyncGenerator<SourceRow> {
    const ranges = await openLargeParquet(source, options);
    if (ranges !== undefined) {
      digests[nameInRecord(source.reference)] = ranges.etag;
      revision ??= ranges.commit;
      return yield* (await import('./formats/parquet-rows.ts')).readParquetBuffer(ranges, redactUrl(source.reference), readOptions);
    }
    const file = await fetchFile([source], contextOf(options));
    digests[nameInRecord(source.reference)] = file.sha256;
    revision ??= file.revision;
    yield* readRows(file.path, readOptions);
    // Notes go into records, which others read: the file's own name is enough there.
    notes.notes = notes.notes.map((note) => note.replaceAll(file.path, basename(file.path)));
  };
  const rows = async function* (): AsyncGenerator<SourceRow> {
    for (const [index, source] of plan.files.entries()) {
      const added = plan.column === undefined ? undefined : { [plan.column.name]: plan.column.values[index]! };
      if (added === undefined) yield* readOne(source);
      else for await (const row of readOne(source)) yield { ...row, fields: { ...row.fields, ...added } };
    }
  };
  const split = await makeSplit(rows(), { name: plan.split, origin: redactUrl(plan.reference), notes, shape: plan.shape });
  return { split, kind: plan.kind, reference: redactUrl(plan.reference), ...(revision === undefined ? {} : { revision }), files: digests };
}

/** A large Parquet file of the hub that is not in the cache is read by ranges, row group by row group, and not kept. */
async function openLargeParquet(source: FileSource, options: LoadOptions): Promise<HubRanges | undefined> {
  const limit = options.keepBytes ?? 512e6;
  if (options.offline || (source.sizeBytes ?? 0) <= limit || !/^hf:.*\.parquet$/i.test(source.reference)) return undefined;
  const reference = parseSourceReference(source.reference);
  if (reference.kind !== 'hf' || (await findInHubCache(reference, environmentOf(options))) !== undefined) return undefined;
  return await openHubRanges(reference, contextOf(options));
}

/** A local path may hold the user's name: the record keeps the file's own name only. */
function nameInRecord(reference: string): string {
  return reference.startsWith('file:') ? reference.split(/[\\/]/).at(-1)! : redactUrl(reference);
}
