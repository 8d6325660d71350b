// Rows of Parquet files, one row group at a time, from a file or by range reads over HTTP.
import { open } from 'node:fs/promises';
import { type AsyncBuffer, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import { messageOf, ToolError } from '../../core/errors.ts';
import { classNamesOfMetadata } from './class-names.ts';
import type { RawRow, ReadOptions, SourceRow } from './source-row.ts';

/** @throws ToolError `data` for a file that is no Parquet (an HTML error page, a cut download) */
export async function* readParquetRows(path: string, options: ReadOptions): AsyncGenerator<SourceRow> {
  const handle = await open(path, 'r');
  try {
    const { size } = await handle.stat();
    const slice = async (start: number, end = size) => {
      const buffer = new ArrayBuffer(end - start);
      const view = new Uint8Array(buffer);
      for (let done = 0; done < view.length; ) {
        const { bytesRead } = await handle.read(view, done, view.length - done, start + done);
        if (bytesRead === 0) throw new ToolError('integrity', `${path} is cut short`);
        done += bytesRead;
      }
      return buffer;
    };
    yield* readParquetBuffer({ byteLength: size, slice }, path, options);
  } finally {
    await handle.close();
  }
}

/** The same over any source of byte ranges. */
export async function* readParquetBuffer(file: AsyncBuffer, name: string, options: ReadOptions): AsyncGenerator<SourceRow> {
  const metadata = await readMetadata(file, name);
  const huggingface = metadata.key_value_metadata?.find((entry) => entry.key === 'huggingface')?.value;
  Object.assign(options.notes.classNames, classNamesOfMetadata(huggingface));
  let rowStart = 0;
  for (const group of metadata.row_groups) {
    options.signal?.throwIfAborted();
    const rowEnd = rowStart + Number(group.num_rows);
    const rows = (await parquetReadObjects({ file, metadata, rowStart, rowEnd, compressors }).catch((thrown: unknown) => {
      throw ToolError.isInstance(thrown)
        ? thrown
        : new ToolError('data', `${name}: damaged parquet file: ${messageOf(thrown)}`, { cause: thrown });
    })) as RawRow[];
    if (rows.length !== rowEnd - rowStart) {
      throw new ToolError('data', `${name}: a row group has ${rows.length} rows, its header says ${rowEnd - rowStart}`);
    }
    for (const fields of rows) yield { fields };
    rowStart = rowEnd;
  }
}

async function readMetadata(file: AsyncBuffer, name: string): Promise<FileMetaData> {
  const isParquet = file.byteLength >= 12 && new TextDecoder().decode(await file.slice(0, 4)) === 'PAR1';
  if (!isParquet)
    throw new ToolError('data', `${name} is not a parquet file`, { hint: 'it may be an error page that was saved under this name' });
  try {
    return await parquetMetadataAsync(file);
  } catch (thrown) {
    throw new ToolError('data', `${name}: the parquet footer cannot be read: ${messageOf(thrown)}`, {
      cause: thrown,
      hint: 'the file may be cut short',
    });
  }
}
