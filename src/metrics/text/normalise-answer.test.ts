import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactMatch } from './exact-match.ts';
import { normaliseNative, normaliseSquad } from './normalise-answer.ts';
import { tokenF1 } from './token-f1.ts';

describe('short answers', () => {
  const cases: readonly [prediction: string, gold: string, em: boolean, f1: number, squadEm: boolean, squadF1: number][] = [
    ['A', 'A', true, 1, true, 1],
    ['A', 'The', false, 0, true, 1],
    ['3.14', '314', false, 0, true, 1],
    ['-5', '5', false, 0, true, 1],
    ['1/2', '12', false, 0, true, 1],
    ['10:30', '1030', false, 0, true, 1],
    ['?', '!', false, 0, true, 1],
    ['Lima Lima Lima Lima', 'Lima', false, 0.4, false, 0.4],
    ['The Eiffel Tower!', 'eiffel tower', true, 1, true, 1],
    ['', '', true, 1, true, 1],
    ['', 'Lima', false, 0, false, 0],
    ['the', '', false, 0, true, 1],
    ['1,000', '1000', true, 1, true, 1],
    ['$5', '5', true, 1, true, 1],
    ['-$5', '-5', true, 1, true, 1],
    ['50%', '50', true, 1, true, 1],
    ['5.', '5', true, 1, true, 1],
    ['.5', '0.5', true, 1, false, 0],
    ['well-known', 'wellknown', true, 1, true, 1],
    ['U.S.', 'US', true, 1, true, 1],
    ["O'Brien", 'o’brien', true, 1, false, 0],
  ];
  test.each(cases)('%j against %j', (prediction, gold, em, f1, squadEm, squadF1) => {
    expect(exactMatch(prediction, gold)).toBe(em);
    expect(tokenF1(prediction, gold)).toBeCloseTo(f1, 12);
    expect(exactMatch(prediction, gold, { normaliser: 'squad' })).toBe(squadEm);
    expect(tokenF1(prediction, gold, { normaliser: 'squad' })).toBeCloseTo(squadF1, 12);
  });
});

test.each([
  ['−5', '-5'],
  ['１２', '12'],
  ['١٢', '12'],
  ['Straße', 'strasse'],
  ['GROẞ', 'gross'],
  ['a\u200bb', 'ab'],
  ['Ｐａｒｉｓ', 'paris'],
  ['（Paris）', 'Paris'],
  ['ΣΊΣΥΦΟΣ', 'σίσυφος'],
  ['Caf\u0065\u0301', 'café'],
  ['ﬁne', 'fine'],
])('%j reads as %j', (left, right) => {
  expect(exactMatch(left, right)).toBe(true);
});

test.each([
  ['北京', '北京大学', 2 / 3],
  ['《北京》', '北京', 1],
  ['서울', '서울시', 0.8],
  ['東京 tower', '東京 Tower', 1],
])('characters are the tokens of CJK text: %j against %j', (prediction, gold, expected) => {
  expect(tokenF1(prediction, gold)).toBeCloseTo(expected, 6);
});

test('normalising is idempotent and never empties an answer that has a visible character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const once = normaliseNative(text);
      expect(normaliseSquad(normaliseSquad(text))).toBe(normaliseSquad(text));
      if (/[\p{L}\p{N}\p{P}]/u.test(text)) expect(once).not.toBe('');
    }),
  );
});

test('token F1 is symmetric and lies between 0 and 1', () => {
  const words = fc.array(fc.constantFrom('a', 'b', 'the', '3.5', '北', '!'), { maxLength: 8 }).map((list) => list.join(' '));
  fc.assert(
    fc.property(words, words, (left, right) => {
      const score = tokenF1(left, right);
      expect(score).toBeCloseTo(tokenF1(right, left), 12);
      expect(score).toBeGreaterThanOrEqual(0);
      expect(score).toBeLessThanOrEqual(1);
      if (exactMatch(left, right)) expect(score).toBe(1);
    }),
  );
});
