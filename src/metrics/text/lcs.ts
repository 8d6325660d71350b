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
  const masks = new Int32Array(vocabularySize * words);
  for (let index = 0; index < columns.length; index++) masks[columns[index]! * words + (index >>> 5)]! |= 1 << (index & 31);
  const state = new Int32Array(words).fill(-1);
  for (const code of rows) {
    let carry = 0;
    for (let word = 0, offset = code * words; word < words; word++, offset++) {
      const old = state[word]!;
      const hit = old & masks[offset]!;
      const sum = (old >>> 0) + (hit >>> 0) + carry;
      carry = sum > 0xffffffff ? 1 : 0;
      state[word] = sum | 0 | (old & ~hit);
    }
  }
  return countZeroBits(state, columns.length);
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
