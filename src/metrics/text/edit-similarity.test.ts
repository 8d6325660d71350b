import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editSimilarity, levenshtein } from './edit-similarity.ts';
import { lcsLength } from './lcs.ts';
import { Vocabulary } from './ngram-table.ts';

function plainDistance(a: readonly string[], b: readonly string[]): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}

function plainLcs(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const left of a) {
    const next = [0];
    for (let j = 1; j <= b.length; j++) next.push(left === b[j - 1] ? row[j - 1]! + 1 : Math.max(row[j]!, next[j - 1]!));
    row = next;
  }
  return row[b.length]!;
}

const letters = fc.array(fc.constantFrom('a', 'b', 'c', '😀', '北'), { maxLength: 150 });

test('the bit-parallel distance and subsequence equal the plain tables, across word borders', () => {
  fc.assert(
    fc.property(letters, letters, (a, b) => {
      expect(levenshtein(a.join(''), b.join(''))).toBe(plainDistance(a, b));
      const vocabulary = new Vocabulary();
      expect(lcsLength(vocabulary.encode(a), vocabulary.encode(b), vocabulary.size)).toBe(plainLcs(a, b));
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['kitten', 'sitting', 1 - 3 / 7],
  ['', '', 1],
  ['', 'abc', 0],
  ['😀', '😃', 0],
  ['same', 'same', 1],
])('%j and %j', (left, right, expected) => {
  expect(editSimilarity(left, right)).toBeCloseTo(expected, 12);
});
