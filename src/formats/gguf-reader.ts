// Reads the header of a GGUF file (version 2 and 3): metadata and tensor list, never the weights.
import { ToolError } from '../core/errors.ts';
import type { ByteSource } from './byte-source.ts';
import { GgufCursor } from './gguf-cursor.ts';
import { type GgufValueType, ggufMagic, ggufValueTypes, type TensorLayout, tensorLayouts, valueSizes } from './gguf-types.ts';

export type GgufScalar = number | boolean | bigint | string;
/** A large array that was walked over: read again with `keepArray` when its content is wanted. */
export interface GgufSkippedArray {
  readonly kind: 'skipped';
  readonly elementType: GgufValueType;
  readonly length: number;
}
export type GgufValue = GgufScalar | readonly GgufScalar[] | GgufSkippedArray;

export interface GgufTensor {
  readonly name: string;
  /** Fastest-changing dimension first (ggml's `ne`). */
  readonly dimensions: readonly number[];
  readonly type: string;
  readonly elements: number;
  readonly sizeBytes: number;
  /** From the start of the file, bytes. */
  readonly offset: number;
}

export interface Gguf {
  readonly version: number;
  readonly metadata: ReadonlyMap<string, GgufValue>;
  readonly tensors: readonly GgufTensor[];
  readonly alignment: number;
  /** Where the value of each metadata key starts, bytes. */
  readonly valueOffsets: ReadonlyMap<string, number>;
  /** First byte after the metadata. */
  readonly metadataEnd: number;
  /** First byte of the tensor data. */
  readonly dataOffset: number;
  readonly sizeBytes: number;
}

export interface GgufReadOptions {
  /** Shown in errors. @default 'GGUF' */
  readonly title?: string | undefined;
  /** Which arrays to keep. @default arrays of at most 1024 elements */
  readonly keepArray?: ((key: string, length: number) => boolean) | undefined;
  /** Accept a file whose tensor data is cut off (a header fetched alone). @default false */
  readonly headerOnly?: boolean | undefined;
}

const maxKeyBytes = 65_535;
const maxTensorNameBytes = 4096;
const maxDimensions = 8;
/** Smallest possible bytes of one metadata pair and of one tensor entry: bounds any honest count. */
const minPairBytes = 13;
const minTensorBytes = 24;

/**
 * Reads metadata and tensor list.
 * @throws ToolError `integrity` (not GGUF, damaged, cut off) or `unsupported` (version 1, big-endian)
 */
export async function readGguf(source: ByteSource, options: GgufReadOptions = {}): Promise<Gguf> {
  const title = options.title ?? 'GGUF';
  const cursor = new GgufCursor(source, title);
  const { version, tensorCount, pairCount } = await readHead(cursor, title);
  const keepArray = options.keepArray ?? ((_key: string, length: number) => length <= 1024);
  const metadata = new Map<string, GgufValue>();
  const valueOffsets = new Map<string, number>();
  for (let index = 0; index < pairCount; index++) {
    const key = await readString(cursor, maxKeyBytes, `metadata key ${index + 1} of ${pairCount}`);
    if (metadata.has(key)) throw cursor.fail(`metadata key ${JSON.stringify(key)} appears twice`);
    valueOffsets.set(key, cursor.offset + 4);
    metadata.set(key, await readValue(cursor, key, keepArray));
  }
  const metadataEnd = cursor.offset;
  const alignment = alignmentOf(metadata, cursor);
  const entries: TensorEntry[] = [];
  for (let index = 0; index < tensorCount; index++) entries.push(await readTensor(cursor, `tensor ${index + 1} of ${tensorCount}`));
  const dataOffset = Math.ceil(cursor.offset / alignment) * alignment;
  const tensors = entries.map(({ relativeOffset, ...tensor }) => ({ ...tensor, offset: dataOffset + relativeOffset }));
  const file: Gguf = { version, metadata, tensors, alignment, valueOffsets, metadataEnd, dataOffset, sizeBytes: source.sizeBytes };
  checkTensors(file, title, options.headerOnly ?? false);
  return file;
}

async function readHead(cursor: GgufCursor, title: string): Promise<{ version: number; tensorCount: number; pairCount: number }> {
  const { remaining } = cursor;
  if (remaining < 4) throw cursor.fail(`too short for a GGUF file: ${remaining} bytes`);
  await cursor.ensure(Math.min(remaining, 24), 'the header');
  const magic = cursor.u32();
  if (magic !== ggufMagic && magic !== 0x47475546) throw notGguf(magic, title);
  if (remaining < 24) throw cursor.fail(`too short for a GGUF file: ${remaining} bytes`);
  const version = cursor.u32();
  if (magic === 0x47475546 || (version & 0xffff) === 0) {
    throw new ToolError('unsupported', `${title}: big-endian GGUF files are not supported`, { hint: 'use the little-endian file' });
  }
  if (version !== 2 && version !== 3) {
    throw new ToolError('unsupported', `${title}: GGUF version ${version} is not supported`, {
      hint: 'versions 2 and 3 are; convert the model again with a current tool',
    });
  }
  const tensorCount = cursor.size('the number of tensors');
  const pairCount = cursor.size('the number of metadata pairs');
  if (tensorCount * minTensorBytes + pairCount * minPairBytes > cursor.remaining) {
    throw cursor.fail(`${tensorCount} tensors and ${pairCount} metadata pairs cannot fit in the file`);
  }
  return { version, tensorCount, pairCount };
}

function notGguf(magic: number, title: string): ToolError {
  const bytes = [0, 8, 16, 24].map((shift) => (magic >>> shift) & 0xff);
  const shown = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const start = String.fromCharCode(...bytes);
  const isDownloadFault = start.startsWith('<') || start === 'vers';
  let hint = 'slmbench runs GGUF files; convert the model first';
  if (isDownloadFault) hint = 'this looks like a web page or a Git LFS pointer, not a model: download the file itself';
  else if (start.startsWith('PK')) hint = 'this is a zip archive (a PyTorch checkpoint?): a GGUF file is needed';
  return new ToolError(isDownloadFault ? 'integrity' : 'unsupported', `${title}: not a GGUF file: it starts with ${shown}`, { hint });
}

async function readString(cursor: GgufCursor, maxBytes: number, what: string): Promise<string> {
  await cursor.ensure(8, what);
  const length = cursor.size(`the length of ${what}`);
  if (length > maxBytes) throw cursor.fail(`${what} is ${length} bytes long; at most ${maxBytes} are allowed`);
  await cursor.ensure(length, what);
  return decodeText(cursor.bytes(length));
}

const decoder = new TextDecoder();
function decodeText(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}

async function readValue(cursor: GgufCursor, key: string, keepArray: (key: string, length: number) => boolean): Promise<GgufValue> {
  const shown = JSON.stringify(key);
  await cursor.ensure(4, `the type of ${shown}`);
  const type = typeOf(cursor.u32(), shown, cursor);
  if (type === 'string') return readString(cursor, Number.MAX_SAFE_INTEGER, shown);
  if (type === 'array') return readArray(cursor, shown, (length) => keepArray(key, length));
  await cursor.ensure(valueSizes[type], shown);
  return cursor.fixed(type);
}

function typeOf(id: number, shown: string, cursor: GgufCursor): GgufValueType {
  const type = ggufValueTypes[id];
  if (type === undefined) throw cursor.fail(`${shown} has the unknown value type ${id}`);
  return type;
}

async function readArray(cursor: GgufCursor, shown: string, keepArray: (length: number) => boolean): Promise<GgufValue> {
  await cursor.ensure(12, shown);
  const elementType = typeOf(cursor.u32(), shown, cursor);
  const length = cursor.size(`the length of ${shown}`);
  if (elementType === 'array') throw cursor.fail(`${shown} is an array of arrays, which GGUF readers do not accept`);
  const size = valueSizes[elementType];
  if (length * (size === 0 ? 8 : size) > cursor.remaining)
    throw cursor.fail(`${shown} claims ${length} elements, more than the file can hold`);
  const keep = keepArray(length);
  if (size > 0 && !keep) cursor.skip(length * size, shown);
  const values: GgufScalar[] = [];
  for (let index = 0; index < length && (keep || size === 0); index++) {
    if (size > 0) {
      if (cursor.buffered < size) await cursor.ensure(size, shown);
      values.push(cursor.fixed(elementType));
    } else {
      if (cursor.buffered < 8) await cursor.ensure(8, shown);
      const bytes = cursor.size(`the length of element ${index} of ${shown}`);
      if (cursor.buffered < bytes && keep) await cursor.ensure(bytes, shown);
      if (keep) values.push(decodeText(cursor.bytes(bytes)));
      else cursor.skip(bytes, shown);
    }
  }
  return keep ? values : { kind: 'skipped', elementType, length };
}

function alignmentOf(metadata: ReadonlyMap<string, GgufValue>, cursor: GgufCursor): number {
  const alignment = metadata.get('general.alignment') ?? 32;
  if (typeof alignment !== 'number' || alignment < 1 || alignment > 1 << 20 || (alignment & (alignment - 1)) !== 0) {
    throw cursor.fail(`general.alignment is ${String(alignment)}; a power of two was expected`);
  }
  return alignment;
}

interface TensorEntry extends Omit<GgufTensor, 'offset'> {
  readonly relativeOffset: number;
}

async function readTensor(cursor: GgufCursor, what: string): Promise<TensorEntry> {
  const name = await readString(cursor, maxTensorNameBytes, `the name of ${what}`);
  await cursor.ensure(4, what);
  const rank = cursor.u32();
  if (rank > maxDimensions) throw cursor.fail(`${what} has ${rank} dimensions`);
  await cursor.ensure(rank * 8 + 12, what);
  const dimensions = Array.from({ length: rank }, () => cursor.size(`a dimension of ${what}`));
  const typeId = cursor.u32();
  const layout = tensorLayouts.get(typeId);
  if (layout === undefined) {
    throw new ToolError('unsupported', `tensor ${JSON.stringify(name)} has the unknown type ${typeId}`, {
      hint: 'the file was written for a newer engine, or is damaged',
    });
  }
  const relativeOffset = cursor.size(`the offset of ${what}`);
  return { name, dimensions, type: layout.name, ...sizeOf(dimensions, layout, cursor, what), relativeOffset };
}

function sizeOf(
  dimensions: readonly number[],
  layout: TensorLayout,
  cursor: GgufCursor,
  what: string,
): { elements: number; sizeBytes: number } {
  const elements = dimensions.reduce((product, dimension) => product * dimension, 1);
  if (!Number.isSafeInteger(elements)) throw cursor.fail(`${what} has absurd dimensions ${dimensions.join(' x ')}`);
  if ((dimensions[0] ?? 1) % layout.blockSize !== 0) {
    throw cursor.fail(`${what} has rows of ${dimensions[0]} weights, not a multiple of ${layout.blockSize} as ${layout.name} needs`);
  }
  return { elements, sizeBytes: (elements / layout.blockSize) * layout.blockBytes };
}

function checkTensors(file: Gguf, title: string, headerOnly: boolean): void {
  const names = new Set<string>();
  for (const tensor of file.tensors) {
    if (names.has(tensor.name)) throw new ToolError('integrity', `${title}: tensor ${JSON.stringify(tensor.name)} appears twice`);
    names.add(tensor.name);
    const end = tensor.offset + tensor.sizeBytes;
    if (!headerOnly && end > file.sizeBytes) {
      throw new ToolError(
        'integrity',
        `${title}: the file is cut off: tensor ${JSON.stringify(tensor.name)} ends at byte ${end}, the file has ${file.sizeBytes}`,
        { hint: 'the download did not finish: delete the file and pull it again' },
      );
    }
  }
}
