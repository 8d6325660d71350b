// Reads and writes safetensors files (an 8-byte length, a JSON header, raw little-endian tensors).
import { z } from 'zod';
import { messageOf, ToolError } from '../core/errors.ts';
import { fromBfloat16Bits, fromFloat16Bits, toFloat16Bytes } from './float16.ts';

export interface SafetensorEntry {
  readonly name: string;
  /** `F32`, `F16`, `BF16`, `I64`... as the file says. */
  readonly type: string;
  /** Slowest-changing dimension first, as in PyTorch. */
  readonly shape: readonly number[];
  readonly bytes: Uint8Array;
}

export interface Safetensors {
  readonly metadata: Readonly<Record<string, string>>;
  readonly tensors: ReadonlyMap<string, SafetensorEntry>;
}

const typeBytes: Readonly<Record<string, number>> = {
  F64: 8,
  F32: 4,
  F16: 2,
  BF16: 2,
  I64: 8,
  U64: 8,
  I32: 4,
  U32: 4,
  I16: 2,
  U16: 2,
  I8: 1,
  U8: 1,
  BOOL: 1,
  F8_E4M3: 1,
  F8_E5M2: 1,
};

const entrySchema = z.object({
  dtype: z.string(),
  shape: z.array(z.number().int().nonnegative()),
  data_offsets: z.tuple([z.number().int().nonnegative(), z.number().int().nonnegative()]),
});
const headerSchema = z.record(z.string(), z.unknown());
const metadataSchema = z.record(z.string(), z.string());

/** @throws ToolError `integrity`: cut off, header unreadable, tensor out of bounds */
export function readSafetensors(file: Uint8Array, title = 'safetensors'): Safetensors {
  const fail = (message: string, cause?: unknown) =>
    new ToolError('integrity', `${title}: ${message}`, { hint: 'the file is damaged or is not a safetensors file', cause });
  if (file.byteLength < 8) throw fail(`too short: ${file.byteLength} bytes`);
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const headerBytes = Number(view.getBigUint64(0, true));
  if (headerBytes > file.byteLength - 8) throw fail(`the header claims ${headerBytes} bytes, the file has ${file.byteLength}`);
  const data = file.subarray(8 + headerBytes);
  let header: Record<string, unknown>;
  try {
    header = headerSchema.parse(JSON.parse(new TextDecoder().decode(file.subarray(8, 8 + headerBytes))));
  } catch (cause) {
    throw fail(`the header is not readable: ${messageOf(cause)}`, cause);
  }
  const metadata = metadataSchema.safeParse(header['__metadata__'] ?? {});
  const tensors = new Map<string, SafetensorEntry>();
  for (const [name, value] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const entry = entrySchema.safeParse(value);
    if (!entry.success) throw fail(`tensor ${JSON.stringify(name)} has no valid description`);
    const { dtype, shape, data_offsets } = entry.data;
    const size = typeBytes[dtype];
    if (size === undefined) throw fail(`tensor ${JSON.stringify(name)} has the unknown type ${dtype}`);
    const expected = shape.reduce((product, dimension) => product * dimension, size);
    const [from, to] = data_offsets;
    if (to - from !== expected || to > data.byteLength) throw fail(`tensor ${JSON.stringify(name)} does not lie inside the file`);
    tensors.set(name, { name, type: dtype, shape, bytes: data.subarray(from, to) });
  }
  return { metadata: metadata.success ? metadata.data : {}, tensors };
}

const floatReaders: Readonly<Record<string, (view: DataView, at: number) => number>> = {
  F64: (view, at) => view.getFloat64(at, true),
  F32: (view, at) => view.getFloat32(at, true),
  F16: (view, at) => fromFloat16Bits(view.getUint16(at, true)),
  BF16: (view, at) => fromBfloat16Bits(view.getUint16(at, true)),
};

/** Values of a floating-point tensor in single precision. @throws ToolError `unsupported` for other types */
export function floatsOf(tensor: SafetensorEntry): Float32Array {
  const { bytes, type } = tensor;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const size = typeBytes[type] ?? 1;
  const values = new Float32Array(bytes.byteLength / size);
  const readAt = floatReaders[type];
  if (readAt === undefined) throw new ToolError('unsupported', `tensor ${tensor.name}: ${type} is not a floating-point type`);
  for (let index = 0; index < values.length; index++) values[index] = readAt(view, index * size);
  return values;
}

export interface SafetensorInput {
  readonly name: string;
  readonly type: 'F32' | 'F16';
  readonly shape: readonly number[];
  readonly values: Float32Array;
}

/** Bytes of a safetensors file; the header is padded with spaces so that the data is 8-byte aligned. */
export function writeSafetensors(
  tensors: readonly SafetensorInput[],
  metadata: Readonly<Record<string, string>> = {},
): Uint8Array<ArrayBuffer> {
  const header: Record<string, unknown> = Object.keys(metadata).length === 0 ? {} : { __metadata__: metadata };
  let offset = 0;
  const encoded = tensors.map((tensor) => {
    const bytes = encode(tensor);
    header[tensor.name] = { dtype: tensor.type, shape: tensor.shape, data_offsets: [offset, offset + bytes.byteLength] };
    offset += bytes.byteLength;
    return bytes;
  });
  const text = JSON.stringify(header);
  const headerBytes = new TextEncoder().encode(text + ' '.repeat((8 - (new TextEncoder().encode(text).length % 8)) % 8));
  const file = new Uint8Array(8 + headerBytes.length + offset);
  new DataView(file.buffer).setBigUint64(0, BigInt(headerBytes.length), true);
  file.set(headerBytes, 8);
  let at = 8 + headerBytes.length;
  for (const bytes of encoded) {
    file.set(bytes, at);
    at += bytes.byteLength;
  }
  return file;
}

function encode(tensor: SafetensorInput): Uint8Array {
  const { values, type } = tensor;
  if (values.length !== tensor.shape.reduce((product, dimension) => product * dimension, 1)) {
    throw new ToolError('data', `tensor ${tensor.name}: ${values.length} values do not fit the shape ${tensor.shape.join(' x ')}`);
  }
  if (type === 'F32') return new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  return toFloat16Bytes(values);
}
