// IEEE 754 half precision and bfloat16, to and from single precision, rounding to nearest even.

const float = new Float32Array(1);
const bits = new Uint32Array(float.buffer);

/** Half-precision bits of a number. */
export function toFloat16Bits(value: number): number {
  float[0] = value;
  const word = bits[0]!;
  const sign = (word >>> 16) & 0x8000;
  const exponent = (word >>> 23) & 0xff;
  const fraction = word & 0x7fffff;
  if (exponent === 0xff) return sign | 0x7c00 | (fraction === 0 ? 0 : 0x200);
  const half = exponent - 127 + 15;
  if (half >= 31) return sign | 0x7c00;
  if (half <= 0) {
    if (half < -10) return sign;
    return sign | roundShift(fraction | 0x800000, 14 - half);
  }
  // A carry out of the fraction rightly raises the exponent.
  return sign | ((half << 10) + roundShift(fraction, 13));
}

function roundShift(value: number, shift: number): number {
  const kept = value >>> shift;
  const rest = value & ((1 << shift) - 1);
  const half = 1 << (shift - 1);
  return rest > half || (rest === half && (kept & 1) === 1) ? kept + 1 : kept;
}

let table: Float32Array | undefined;

/** Number of half-precision bits. */
export function fromFloat16Bits(half: number): number {
  table ??= Float32Array.from({ length: 1 << 16 }, (_, index) => decodeHalf(index));
  return table[half]!;
}

function decodeHalf(half: number): number {
  const sign = (half & 0x8000) === 0 ? 1 : -1;
  const exponent = (half >>> 10) & 0x1f;
  const fraction = half & 0x3ff;
  if (exponent === 0) return sign * fraction * 2 ** -24;
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
}

interface HalfArrayConstructor {
  new (values: Float32Array): { readonly buffer: ArrayBuffer };
}
const HalfArray = (globalThis as { readonly Float16Array?: HalfArrayConstructor }).Float16Array;

/** Half-precision bytes (little-endian) of many numbers; by the platform's own conversion where it has one. */
export function toFloat16Bytes(values: Float32Array): Uint8Array<ArrayBuffer> {
  if (HalfArray !== undefined) return new Uint8Array(new HalfArray(values).buffer);
  const halves = new Uint16Array(values.length);
  for (let index = 0; index < values.length; index++) halves[index] = toFloat16Bits(values[index]!);
  return new Uint8Array(halves.buffer);
}

/** Number of bfloat16 bits. */
export function fromBfloat16Bits(half: number): number {
  bits[0] = (half << 16) >>> 0;
  return float[0]!;
}
