// The 256-weight "K" block types of ggml back to numbers.
import type { DecodeBlock } from './dequantise.ts';
import { fromFloat16Bits } from './float16.ts';

const half = (view: DataView, at: number) => fromFloat16Bits(view.getUint16(at, true));

/** Scales and minima in 4 bits each (16 bytes), 2-bit weights (64), scale and minimum of the block. */
export const dequantiseQ2K: DecodeBlock = (view, at, out, to) => {
  const scale = half(view, at + 80);
  const minimum = half(view, at + 82);
  eachTwoBitRun((run, shift, quant, target) => {
    const packed = view.getUint8(at + run);
    const bits = (view.getUint8(at + 16 + quant) >> shift) & 3;
    out[to + target] = scale * (packed & 15) * bits - minimum * (packed >> 4);
  });
};

/** High bits (32 bytes), low two bits (64), 6-bit scales (12), scale of the block. */
export const dequantiseQ3K: DecodeBlock = (view, at, out, to) => {
  const scale = half(view, at + 108);
  const scales = Array.from({ length: 16 }, (_, run) => sixBitScale(view, at + 96, run) - 32);
  eachTwoBitRun((run, shift, quant, target) => {
    const low = (view.getUint8(at + 32 + quant) >> shift) & 3;
    const high = (view.getUint8(at + (quant % 32)) >> (target >> 5)) & 1;
    out[to + target] = scale * scales[run]! * (low - (high === 1 ? 0 : 4));
  });
};

/** Walks 256 two-bit weights: sixteen runs of sixteen; `quant` is the byte, `shift` the bits in it. */
function eachTwoBitRun(visit: (run: number, shift: number, quant: number, target: number) => void): void {
  for (let target = 0; target < 256; target++) {
    const inHalf = target % 128;
    visit(target >> 4, (inHalf >> 5) * 2, (target >> 7) * 32 + (inHalf % 32), target);
  }
}

/** Low four bits in the first 8 bytes, high two bits in the last 4. */
function sixBitScale(view: DataView, at: number, run: number): number {
  const low = (view.getUint8(at + (run % 8)) >> (run < 8 ? 0 : 4)) & 15;
  const high = (view.getUint8(at + 8 + (run % 4)) >> ((run >> 2) * 2)) & 3;
  return low | (high << 4);
}

/** Scale and minimum of one of eight runs of 32 weights, six bits each, packed in 12 bytes. */
function scaleAndMinimum(view: DataView, at: number, run: number): readonly [number, number] {
  const byte = (index: number) => view.getUint8(at + index);
  if (run < 4) return [byte(run) & 63, byte(run + 4) & 63];
  return [(byte(run + 4) & 15) | ((byte(run - 4) >> 6) << 4), (byte(run + 4) >> 4) | ((byte(run) >> 6) << 4)];
}

export const dequantiseQ4K: DecodeBlock = (view, at, out, to) => decodeRuns(view, at, at + 16, null, out, to);

export const dequantiseQ5K: DecodeBlock = (view, at, out, to) => decodeRuns(view, at, at + 48, at + 16, out, to);

/** Eight runs of 32 weights: low nibbles of 32 bytes, then their high nibbles, with fifth bits in `highAt`. */
function decodeRuns(view: DataView, at: number, quantsAt: number, highAt: number | null, out: Float32Array, to: number): void {
  const scale = half(view, at);
  const minimum = half(view, at + 2);
  for (let run = 0; run < 8; run++) {
    const [runScale, runMinimum] = scaleAndMinimum(view, at + 4, run);
    const step = scale * runScale;
    const offset = minimum * runMinimum;
    for (let index = 0; index < 32; index++) {
      const nibble = (view.getUint8(quantsAt + (run >> 1) * 32 + index) >> ((run & 1) * 4)) & 15;
      const fifth = highAt === null ? 0 : ((view.getUint8(highAt + index) >> run) & 1) << 4;
      out[to + run * 32 + index] = step * (nibble | fifth) - offset;
    }
  }
}

/** Low four bits (128 bytes), high two bits (64), signed 8-bit scales of 16 weights (16), scale of the block. */
export const dequantiseQ6K: DecodeBlock = (view, at, out, to) => {
  const scale = half(view, at + 208);
  for (let target = 0; target < 256; target++) {
    const part = target >> 7;
    const quarter = (target >> 5) & 3;
    const index = target & 31;
    const low = (view.getUint8(at + part * 64 + (quarter & 1) * 32 + index) >> ((quarter >> 1) * 4)) & 15;
    const high = (view.getUint8(at + 128 + part * 32 + index) >> (quarter * 2)) & 3;
    const runScale = view.getInt8(at + 192 + part * 8 + quarter * 2 + (index >> 4));
    out[to + target] = scale * runScale * ((low | (high << 4)) - 32);
  }
};
