// Flag values: what is no name, number or part is told, never read as "all".
import { expect, test } from 'vitest';
import { list } from './option-values.ts';

test('names by comma and repetition', () => {
  expect(list('c , d', list('a,b', undefined))).toEqual(['a', 'b', 'c', 'd']);
  expect(list('a,,b,', undefined)).toEqual(['a', 'b']);
});

test.each(['', ' ', ',', ' , ,'])('no name at all (%j) is an error: an omitted list means all', (text) => {
  expect(() => list(text, undefined)).toThrow('expected at least one name');
  expect(() => list(text, ['a'])).toThrow('expected at least one name');
});
