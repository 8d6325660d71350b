// MinHash over character shingles (Broder 1997, On the resemblance and containment of documents), with banding.

const shingleLength = 5;
const hashes = 64;
/** 16 bands of 4: a pair of similarity 0.8 is found with probability 1 - (1 - 0.8^4)^16 > 0.9998. */
const bandRows = 4;

/** 32-bit hashes of all character shingles of letters, digits and single spaces; a short text is one shingle. */
export function shinglesOf(text: string): ReadonlySet<number> {
  const plain = text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim() || text;
  const result = new Set<number>();
  for (let start = 0; start <= Math.max(0, plain.length - shingleLength); start++)
    result.add(hashSlice(plain, start, start + shingleLength));
  return result;
}

/** FNV-1a over UTF-16 units with a final mix. */
function hashSlice(text: string, start: number, end: number): number {
  let value = 0x811c9dc5;
  for (let at = start; at < end && at < text.length; at++) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  return mix(value);
}

function mix(value: number): number {
  let z = value ^ (value >>> 16);
  z = Math.imul(z, 0x21f0aaad);
  z ^= z >>> 15;
  z = Math.imul(z, 0x735a2d97);
  return (z ^ (z >>> 15)) >>> 0;
}

/** Smallest value of each of 64 hash functions. */
export function minHash(shingles: ReadonlySet<number>): Uint32Array {
  const signature = new Uint32Array(hashes).fill(0xffffffff);
  for (const shingle of shingles) {
    for (let index = 0; index < hashes; index++) {
      const value = mix(shingle + Math.imul(index + 1, 0x9e3779b9));
      if (value < signature[index]!) signature[index] = value;
    }
  }
  return signature;
}

export function bandsOf(signature: Uint32Array): string[] {
  return Array.from(
    { length: hashes / bandRows },
    (_, band) => `${band}:${signature.subarray(band * bandRows, (band + 1) * bandRows).join(',')}`,
  );
}

export function jaccard(left: ReadonlySet<number>, right: ReadonlySet<number>): number {
  let shared = 0;
  for (const value of left) if (right.has(value)) shared++;
  const union = left.size + right.size - shared;
  return union === 0 ? 1 : shared / union;
}
