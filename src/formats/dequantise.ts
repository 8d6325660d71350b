// Quantised weights back to numbers: float types and the 32-weight block types of ggml (ggml-quants.c describes the layouts).
import { ToolError } from '../core/errors.ts';
import { dequantiseQ2K, dequantiseQ3K, dequantiseQ4K, dequantiseQ5K, dequantiseQ6K } from './dequantise-k.ts';
import { fromBfloat16Bits, fromFloat16Bits } from './float16.ts';
import { tensorLayouts, tensorTypeIds } from './gguf-types.ts';

/** Decodes one block at `at` of the view into `out` from `to`. */
export type DecodeBlock = (view: DataView, at: number, out: Float32Array, to: number) => void;

const half = (view: DataView, at: number) => fromFloat16Bits(view.getUint16(at, true));

const decoders: Readonly<Record<string, DecodeBlock>> = {
  F32: (view, at, out, to) => {
    out[to] = view.getFloat32(at, true);
  },
  F16: (view, at, out, to) => {
    out[to] = half(view, at);
  },
  BF16: (view, at, out, to) => {
    out[to] = fromBfloat16Bits(view.getUint16(at, true));
  },
  Q4_0: (view, at, out, to) => decodeFourBits(view, at + 2, out, to, half(view, at), -8 * half(view, at)),
  Q4_1: (view, at, out, to) => decodeFourBits(view, at + 4, out, to, half(view, at), half(view, at + 2)),
  Q5_0: (view, at, out, to) => decodeFiveBits(view, at + 2, out, to, half(view, at), -16 * half(view, at)),
  Q5_1: (view, at, out, to) => decodeFiveBits(view, at + 4, out, to, half(view, at), half(view, at + 2)),
  Q8_0: (view, at, out, to) => {
    const scale = half(view, at);
    for (let index = 0; index < 32; index++) out[to + index] = scale * view.getInt8(at + 2 + index);
  },
  Q2_K: dequantiseQ2K,
  Q3_K: dequantiseQ3K,
  Q4_K: dequantiseQ4K,
  Q5_K: dequantiseQ5K,
  Q6_K: dequantiseQ6K,
};

/** Types that `dequantise` knows. */
export const dequantisableTypes: readonly string[] = Object.keys(decoders);

/**
 * Numbers of quantised bytes.
 * @throws ToolError `unsupported` for a type that is not known, `data` for bytes that are not whole blocks
 */
export function dequantise(type: string, bytes: Uint8Array): Float32Array<ArrayBuffer> {
  const decode = decoders[type];
  if (decode === undefined)
    throw new ToolError('unsupported', `weights of type ${type} cannot be decoded`, { hint: `known: ${dequantisableTypes.join(', ')}` });
  const { blockSize, blockBytes } = tensorLayouts.get(tensorTypeIds.get(type)!)!;
  const blocks = bytes.byteLength / blockBytes;
  if (!Number.isInteger(blocks)) throw new ToolError('data', `${bytes.byteLength} bytes are no whole number of ${type} blocks`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const out = new Float32Array(blocks * blockSize);
  for (let block = 0; block < blocks; block++) decode(view, block * blockBytes, out, block * blockSize);
  return out;
}

/** Low nibbles are the first 16 weights, high nibbles the last. */
function decodeFourBits(view: DataView, at: number, out: Float32Array, to: number, scale: number, offset: number): void {
  for (let index = 0; index < 16; index++) {
    const pair = view.getUint8(at + index);
    out[to + index] = scale * (pair & 15) + offset;
    out[to + index + 16] = scale * (pair >> 4) + offset;
  }
}

/** As four bits, with the fifth bits of all 32 weights in one word before them. */
function decodeFiveBits(view: DataView, at: number, out: Float32Array, to: number, scale: number, offset: number): void {
  const high = view.getUint32(at, true);
  for (let index = 0; index < 16; index++) {
    const pair = view.getUint8(at + 4 + index);
    out[to + index] = scale * ((pair & 15) | (((high >>> index) & 1) << 4)) + offset;
    out[to + index + 16] = scale * ((pair >> 4) | (((high >>> (index + 16)) & 1) << 4)) + offset;
  }
}
