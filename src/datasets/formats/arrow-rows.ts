// Rows of Arrow IPC data, stream or file format, one record batch at a time.
import { createReadStream } from 'node:fs';
import { CompressionType, compressionRegistry, type DataType, RecordBatchReader, Type, Vector } from 'apache-arrow';
import { compressors } from 'hyparquet-compressors';
import { messageOf, ToolError } from '../../core/errors.ts';
import { classNamesOfMetadata } from './class-names.ts';
import { decodeLz4Frame } from './lz4-frame.ts';
import type { RawRow, ReadOptions, SourceRow } from './source-row.ts';

compressionRegistry.set(CompressionType.LZ4_FRAME, { decode: decodeLz4Frame });
// A copy of its own: columns are views that must start at a multiple of their width.
compressionRegistry.set(CompressionType.ZSTD, { decode: (data) => compressors.ZSTD!(data, 0).slice() });

/** @throws ToolError `data` for a file that is no Arrow data */
export async function* readArrowRows(path: string, options: ReadOptions): AsyncGenerator<SourceRow> {
  const stream = createReadStream(path, { highWaterMark: 1 << 18, signal: options.signal });
  try {
    const reader = await RecordBatchReader.from(stream);
    await reader.open();
    if (reader.schema === undefined) throw new Error('no schema');
    Object.assign(options.notes.classNames, classNamesOfMetadata(reader.schema.metadata.get('huggingface')));
    for await (const batch of reader) {
      const columns = batch.schema.fields.map((field) => ({
        name: field.name,
        type: field.type as DataType,
        vector: batch.getChild(field.name)!,
      }));
      for (let row = 0; row < batch.numRows; row++) {
        const fields: RawRow = Object.fromEntries(columns.map(({ name, type, vector }) => [name, toPlain(vector.get(row), type)]));
        yield { fields };
      }
    }
  } catch (thrown) {
    if (ToolError.isInstance(thrown) || options.signal?.aborted) throw thrown;
    throw new ToolError('data', `${path} is not readable as arrow data: ${messageOf(thrown)}`, { cause: thrown });
  } finally {
    stream.destroy();
  }
}

/** Arrow's views as plain values; times as Date, so that all formats agree. */
function toPlain(value: unknown, type: DataType): unknown {
  if (value === null || value === undefined) return null;
  if (type.typeId === Type.Timestamp || type.typeId === Type.Date) return value instanceof Date ? value : new Date(Number(value));
  if (type.typeId === Type.Dictionary) return toPlain(value, (type as unknown as { dictionary: DataType }).dictionary);
  if (value instanceof Vector) {
    const inner = (value as Vector).type as DataType;
    return Array.from({ length: value.length }, (_, index) => toPlain((value as Vector).get(index), inner));
  }
  const children = (type.children ?? []) as readonly { name: string; type: DataType }[];
  if (type.typeId === Type.Struct) {
    const struct = value as Record<string, unknown>;
    return Object.fromEntries(children.map((child) => [child.name, toPlain(struct[child.name], child.type)]));
  }
  if (type.typeId === Type.Map) {
    const entry = children[0]!.type.children as readonly { name: string; type: DataType }[];
    return Object.fromEntries(
      [...(value as Iterable<[unknown, unknown]>)].map(([key, item]) => [String(key), toPlain(item, entry[1]!.type)]),
    );
  }
  return value;
}
