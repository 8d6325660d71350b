// Longest common subsequence of token codes: bit-parallel for the length, a typed-array table where the alignment itself is needed.

/**
 * Length of the longest common subsequence, 32 cells at a time.
 * Source: Crochemore, Iliopoulos, Pinzon, Reid, "A fast and practical bit-vector algorithm for the LCS problem" (2001).
 * @param vocabularySize codes are below this number
 */
export function lcsLength(a: Int32Array, b: Int32Array, vocabularySize: number): number {
  const [rows, columns] = a.length <= b.length ? [b, a] : [a, b];
  const words = (columns.length + 31) >>> 5;
  if (words === 0) return 0;
  const { masks, offsets } = positionMasks(columns, words, vocabularySize);
  const state = new Int32Array(words).fill(-1);
  for (const code of rows) {
    let offset = offsets[code]! - 1;
    // A token that the other side lacks leaves the state as it is.
    if (offset < 0) continue;
    let carry = 0;
    for (let word = 0; word < words; word++, offset++) {
      const old = state[word]!;
      const hit = old & masks[offset]!;
      const sum = (old >>> 0) + (hit >>> 0) + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      state[word] = sum | (old & ~hit);
    }
  }
  return countZeroBits(state, columns.length);
}

/** One bit row per distinct code of the sequence; `offsets[code]` is where it starts, plus one, or 0 for a code that is not there. */
export function positionMasks(
  sequence: Int32Array,
  words: number,
  vocabularySize: number,
): { readonly masks: Int32Array; readonly offsets: Int32Array } {
  const offsets = new Int32Array(vocabularySize);
  let used = 0;
  for (const code of sequence) if (offsets[code] === 0) offsets[code] = words * used++ + 1;
  const masks = new Int32Array(words * used);
  for (let index = 0; index < sequence.length; index++) masks[offsets[sequence[index]!]! - 1 + (index >>> 5)]! |= 1 << (index & 31);
  return { masks, offsets };
}

function countZeroBits(state: Int32Array, length: number): number {
  let zeros = 0;
  for (let word = 0; word < state.length; word++) {
    const inWord = Math.min(32, length - word * 32);
    const used = inWord === 32 ? -1 : (1 << inWord) - 1;
    zeros += popCount(~state[word]! & used);
  }
  return zeros;
}

function popCount(value: number): number {
  let bits = value - ((value >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/**
 * Marks the positions of `reference` that one longest common subsequence uses; among equals it picks the one that
 * rouge-score 0.1.2 picks (walk back from the end: up unless left is longer), since ROUGE-Lsum depends on the choice.
 */
export function markLcs(reference: Int32Array, candidate: Int32Array, marks: Uint8Array): void {
  const width = candidate.length + 1;
  const table = new Int32Array((reference.length + 1) * width);
  for (let i = 1; i <= reference.length; i++) {
    const code = reference[i - 1]!;
    const row = i * width;
    for (let j = 1; j < width; j++) {
      const up = table[row - width + j]!;
      const left = table[row + j - 1]!;
      table[row + j] = code === candidate[j - 1] ? table[row - width + j - 1]! + 1 : Math.max(up, left);
    }
  }
  let i = reference.length;
  let j = candidate.length;
  while (i > 0 && j > 0) {
    if (reference[i - 1] === candidate[j - 1]) {
      marks[--i] = 1;
      j--;
    } else if (table[i * width + j - 1]! > table[(i - 1) * width + j]!) j--;
    else i--;
  }
}
