// Writes a GGUF model again with its matrices in another type (F16, F32, Q8_0), tensor by tensor, metadata kept byte for byte.
import { ToolError } from '../core/errors.ts';
import type { ByteSource } from './byte-source.ts';
import { dequantise } from './dequantise.ts';
import { type Gguf, type GgufTensor, readGguf } from './gguf-reader.ts';
import { fileTypeNames, ggufMagic, tensorLayouts, tensorTypeIds } from './gguf-types.ts';
import { encodeNumbers } from './gguf-writer.ts';

export type ReencodeType = 'F32' | 'F16' | 'Q8_0';

const chunkElements = 1 << 20;

/**
 * Re-encodes a single-file model. Vectors (norms, biases) keep their type. Memory stays at a few megabytes.
 * @param write takes the output's bytes in order
 * @throws ToolError `unsupported` for a split model or a tensor type that cannot be decoded
 */
export async function reencodeGguf(source: ByteSource, type: ReencodeType, write: (bytes: Uint8Array) => Promise<void>): Promise<void> {
  const file = await readGguf(source);
  if ((file.metadata.get('split.count') ?? 1) !== 1)
    throw new ToolError('unsupported', 'a split model cannot be re-encoded: merge its files first');
  const planned = file.tensors.map((tensor) => ({ tensor, target: targetType(tensor, type) }));
  await write(await headerOf(source, file, planned, type));
  for (const { tensor, target } of planned) {
    let written = 0;
    for await (const bytes of tensorBytes(source, tensor, target)) {
      await write(bytes);
      written += bytes.byteLength;
    }
    const rest = align(written, file.alignment) - written;
    if (rest > 0) await write(new Uint8Array(rest));
  }
}

interface PlannedTensor {
  readonly tensor: GgufTensor;
  readonly target: string;
}

function targetType(tensor: GgufTensor, type: ReencodeType): string {
  const isMatrix = tensor.dimensions.filter((dimension) => dimension > 1).length > 1;
  const fits = tensor.dimensions[0]! % layoutOf(type).blockSize === 0;
  return isMatrix && fits ? type : tensor.type;
}

function layoutOf(type: string) {
  return tensorLayouts.get(tensorTypeIds.get(type)!)!;
}

function align(size: number, alignment: number): number {
  return Math.ceil(size / alignment) * alignment;
}

function bytesIn({ tensor, target }: PlannedTensor): number {
  const { blockSize, blockBytes } = layoutOf(target);
  return (tensor.elements / blockSize) * blockBytes;
}

/** Header and metadata as they are, `general.file_type` replaced, then the new tensor list. */
async function headerOf(source: ByteSource, file: Gguf, planned: readonly PlannedTensor[], type: ReencodeType): Promise<Uint8Array> {
  const encoder = new TextEncoder();
  const names = planned.map(({ tensor }) => encoder.encode(tensor.name));
  const listBytes = planned.reduce((sum, { tensor }, index) => sum + 8 + names[index]!.length + 4 + tensor.dimensions.length * 8 + 12, 0);
  const header = new Uint8Array(align(file.metadataEnd + listBytes, file.alignment));
  header.set(await source.read(0, file.metadataEnd));
  const view = new DataView(header.buffer);
  view.setUint32(0, ggufMagic, true);
  const fileTypeAt = file.valueOffsets.get('general.file_type');
  if (fileTypeAt !== undefined && typeof file.metadata.get('general.file_type') === 'number')
    view.setUint32(fileTypeAt, fileTypeId(type), true);
  let at = file.metadataEnd;
  let offset = 0;
  for (const [index, item] of planned.entries()) {
    const name = names[index]!;
    view.setBigUint64(at, BigInt(name.length), true);
    header.set(name, at + 8);
    at += 8 + name.length;
    view.setUint32(at, item.tensor.dimensions.length, true);
    at += 4;
    for (const dimension of item.tensor.dimensions) {
      view.setBigUint64(at, BigInt(dimension), true);
      at += 8;
    }
    view.setUint32(at, tensorTypeIds.get(item.target)!, true);
    view.setBigUint64(at + 4, BigInt(offset), true);
    at += 12;
    offset += align(bytesIn(item), file.alignment);
  }
  return header;
}

function fileTypeId(type: ReencodeType): number {
  return [...fileTypeNames].find(([, name]) => name === type)![0];
}

async function* tensorBytes(source: ByteSource, tensor: GgufTensor, target: string): AsyncGenerator<Uint8Array> {
  const { blockSize, blockBytes } = layoutOf(tensor.type);
  // A multiple of every block size, so that chunks end at block borders of both types.
  const blocks = chunkElements / blockSize;
  for (let done = 0; done < tensor.sizeBytes; done += blocks * blockBytes) {
    const length = Math.min(blocks * blockBytes, tensor.sizeBytes - done);
    const bytes = await source.read(tensor.offset + done, length);
    if (bytes.byteLength !== length) throw new ToolError('integrity', `the file ends inside tensor ${JSON.stringify(tensor.name)}`);
    yield target === tensor.type ? bytes : encodeNumbers(dequantise(tensor.type, bytes), target, tensor.name);
  }
}
