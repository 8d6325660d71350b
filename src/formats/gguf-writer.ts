// Writes GGUF version 3 files: metadata and tensors, in the order given.
import { ToolError } from '../core/errors.ts';
import { toFloat16Bits, toFloat16Bytes } from './float16.ts';
import { type GgufValueType, ggufMagic, ggufValueTypes, tensorLayouts, tensorTypeIds, valueSizes } from './gguf-types.ts';

export interface GgufPair {
  readonly key: string;
  readonly type: Exclude<GgufValueType, 'array'>;
  /** A list is written as an array of `type`. */
  readonly value: number | bigint | boolean | string | readonly (number | bigint | boolean | string)[];
}

export interface GgufTensorInput {
  readonly name: string;
  /** Fastest-changing dimension first. */
  readonly dimensions: readonly number[];
  readonly type: string;
  /** Numbers to encode (F32, F16, Q8_0), or bytes that are already in the type's layout. */
  readonly data: Float32Array | Uint8Array;
}

/**
 * The bytes of a GGUF file.
 * @throws ToolError `data`: unknown tensor type, or data that does not fit the dimensions
 */
export function writeGguf(pairs: readonly GgufPair[], tensors: readonly GgufTensorInput[], alignment = 32): Uint8Array<ArrayBuffer> {
  const encoded = tensors.map((tensor) => ({ tensor, bytes: encodeTensor(tensor) }));
  const header = new ByteWriter();
  header.u32(ggufMagic);
  header.u32(3);
  header.u64(tensors.length);
  header.u64(pairs.length);
  for (const pair of pairs) writePair(header, pair);
  const align = (size: number) => Math.ceil(size / alignment) * alignment;
  let offset = 0;
  for (const { tensor, bytes } of encoded) {
    header.string(tensor.name);
    header.u32(tensor.dimensions.length);
    for (const dimension of tensor.dimensions) header.u64(dimension);
    header.u32(tensorTypeIds.get(tensor.type)!);
    header.u64(offset);
    offset += align(bytes.byteLength);
  }
  const dataOffset = align(header.length);
  const file = new Uint8Array(dataOffset + offset);
  file.set(header.bytes());
  let at = dataOffset;
  for (const { bytes } of encoded) {
    file.set(bytes, at);
    at += align(bytes.byteLength);
  }
  return file;
}

function encodeTensor(tensor: GgufTensorInput): Uint8Array {
  const id = tensorTypeIds.get(tensor.type);
  const layout = id === undefined ? undefined : tensorLayouts.get(id);
  const elements = tensor.dimensions.reduce((product, dimension) => product * dimension, 1);
  if (layout === undefined) throw new ToolError('data', `tensor ${tensor.name}: unknown type ${tensor.type}`);
  const expected = (elements / layout.blockSize) * layout.blockBytes;
  const bytes = tensor.data instanceof Uint8Array ? tensor.data : encodeNumbers(tensor.data, tensor.type, tensor.name);
  if (bytes.byteLength !== expected || (tensor.dimensions[0] ?? 1) % layout.blockSize !== 0) {
    throw new ToolError(
      'data',
      `tensor ${tensor.name}: ${bytes.byteLength} bytes do not fit ${tensor.dimensions.join(' x ')} of ${tensor.type}`,
    );
  }
  return bytes;
}

/** Encodes numbers as F32, F16 or Q8_0. */
export function encodeNumbers(values: Float32Array, type: string, name: string): Uint8Array {
  if (type === 'F32') return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  if (type === 'F16') return toFloat16Bytes(values);
  if (type === 'Q8_0') return encodeQ8(values);
  throw new ToolError('unsupported', `tensor ${name}: numbers cannot be written as ${type}`, { hint: 'F32, F16 and Q8_0 can' });
}

/** Q8_0: blocks of 32 weights, scale = max|x| / 127 as half, then 32 signed bytes (ggml's reference quantiser). */
function encodeQ8(values: Float32Array): Uint8Array {
  const blocks = Math.floor(values.length / 32);
  const bytes = new Uint8Array(blocks * 34);
  const view = new DataView(bytes.buffer);
  for (let block = 0; block < blocks; block++) {
    let largest = 0;
    for (let index = 0; index < 32; index++) largest = Math.max(largest, Math.abs(values[block * 32 + index]!));
    const scale = Math.fround(largest / 127);
    const inverse = scale === 0 ? 0 : Math.fround(1 / scale);
    view.setUint16(block * 34, toFloat16Bits(scale), true);
    for (let index = 0; index < 32; index++) {
      const scaled = Math.fround(values[block * 32 + index]! * inverse);
      // Halves round away from zero, as C's roundf does.
      view.setInt8(block * 34 + 2 + index, Math.sign(scaled) * Math.floor(Math.abs(scaled) + 0.5));
    }
  }
  return bytes;
}

function writePair(writer: ByteWriter, pair: GgufPair): void {
  writer.string(pair.key);
  const typeId = ggufValueTypes.indexOf(pair.type);
  if (Array.isArray(pair.value)) {
    writer.u32(ggufValueTypes.indexOf('array'));
    writer.u32(typeId);
    writer.u64(pair.value.length);
    for (const value of pair.value) writer.value(pair.type, value);
  } else {
    writer.u32(typeId);
    writer.value(pair.type, pair.value as number | bigint | boolean | string);
  }
}

const encoder = new TextEncoder();

class ByteWriter {
  #bytes = new Uint8Array(1 << 14);
  #view = new DataView(this.#bytes.buffer);
  length = 0;

  bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.length);
  }

  #grow(extra: number): number {
    const at = this.length;
    this.length += extra;
    if (this.length > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(this.length, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
      this.#view = new DataView(larger.buffer);
    }
    return at;
  }

  u32(value: number): void {
    const at = this.#grow(4);
    this.#view.setUint32(at, value, true);
  }

  u64(value: number | bigint): void {
    const at = this.#grow(8);
    this.#view.setBigUint64(at, BigInt(value), true);
  }

  string(text: string): void {
    const bytes = encoder.encode(text);
    this.u64(bytes.length);
    const at = this.#grow(bytes.length);
    this.#bytes.set(bytes, at);
  }

  value(type: Exclude<GgufValueType, 'array'>, value: number | bigint | boolean | string): void {
    if (type === 'string') {
      this.string(String(value));
      return;
    }
    const at = this.#grow(valueSizes[type]);
    setNumber(this.#view, at, type, value);
  }
}

function setNumber(
  view: DataView,
  at: number,
  type: Exclude<GgufValueType, 'array' | 'string'>,
  value: number | bigint | boolean | string,
): void {
  const number = Number(value);
  if (type === 'u64') view.setBigUint64(at, BigInt(value), true);
  else if (type === 'i64') view.setBigInt64(at, BigInt(value), true);
  else if (type === 'f32') view.setFloat32(at, number, true);
  else if (type === 'f64') view.setFloat64(at, number, true);
  else if (type === 'i8') view.setInt8(at, number);
  else if (type === 'i16') view.setInt16(at, number, true);
  else if (type === 'i32') view.setInt32(at, number, true);
  else if (type === 'u16') view.setUint16(at, number, true);
  else if (type === 'u32') view.setUint32(at, number, true);
  else view.setUint8(at, number);
}
