// One spelling for look-alikes, exact numbers, and a case for every named rule of the ordered readers.
import { describe, expect, it } from 'vitest';
import { choiceRules } from './choice-rules.ts';
import { extractAnswer } from './extract-answer.ts';
import { comparable, foldText } from './fold-text.ts';
import { numbersEqual } from './numbers-equal.ts';
import { numberRules } from './read-number.ts';
import { normaliseGsm8k } from './read-pattern.ts';

describe('foldText and comparable', () => {
  it.each([
    ['Ｂ', 'B'],
    ['−5', '-5'],
    ['３½', '3 1/2'],
    ['½', '1/2'],
    ['10³', '10^3'],
    ['x⁻²', 'x^-2'],
    ['١٢٣', '123'],
    ['१२', '12'],
    ['𝟒𝟐', '42'],
    ['1\u00a0000', '1,000'],
    ['1\u202f234', '1,234'],
    ['a\u200bb', 'ab'],
    ['１，０００', '1,000'],
    ['٣٫١٤', '3.14'],
    ['plain', 'plain'],
    ['1️⃣', '1'],
  ])('%j is %j', (text, folded) => expect(foldText(text)).toBe(folded));
  it('compares without regard to case in every script', () => {
    expect(comparable('Straße')).toBe(comparable('STRASSE'));
    expect(comparable('ΟΔΟΣ')).toBe(comparable('οδος'));
    expect(comparable('İstanbul')).toBe(comparable('istanbul'));
    expect(comparable(' a \n b ')).toBe('a b');
  });
});

describe('numbersEqual', () => {
  it.each([
    ['1,000', '1000'],
    ['$18.00', '18'],
    ['1/2', '0.5'],
    ['3 1/2', '3.5'],
    ['1e3', '1000'],
    ['−5', '-5'],
    ['50%', '50'],
    ['€ 1 000', '1000'],
    ['1.234.567', '1234567'],
    ['0.1', '1/10'],
    ['5 apples', '5'],
    ['2^3', '8'],
  ])('%s equals %s', (left, right) => expect(numbersEqual(left, right)).toBe(true));
  it.each([
    ['1,5', '15'],
    ['314', '3.14'],
    ['1/3', '0.33'],
    ['', '0'],
    ['   ', '0'],
    ['0x10', '16'],
    ['1/0', '0'],
    ['50%', '0.5'],
    ['5 or 6', '5'],
    ['1.000', '1000'],
    ['abc', 'abc'],
    ['9007199254740993', '9007199254740992'],
  ])('%s does not equal %s', (left, right) => expect(numbersEqual(left, right)).toBe(false));
  it('honours a tolerance, a declared decimal mark and percent as fraction', () => {
    expect(numbersEqual('3.14', '3.1416', { tolerance: 0.01 })).toBe(true);
    expect(numbersEqual('3.1', '3.1416', { tolerance: 0.01 })).toBe(false);
    expect(numbersEqual('1.000,5', '1000,5', { decimal: ',' })).toBe(true);
    expect(numbersEqual('50%', '0.5', { percentAsFraction: true })).toBe(true);
  });
});

describe('GSM8K comparison of lm-eval', () => {
  const gold = 'She has 1,234.\n#### 1,234';
  it.each([
    ['#### 1234.', 1, 1],
    ['$1234', 0, 1],
    ['The answer is $1,234.00', 0, 0],
    ['-1234', 0, 0],
    ['#### 1,234\n#### 5', 1, 0],
    ['x #### 1234 apples, cost $5.', 1, 0],
    ['1234.', 0, 1],
    ['#### 01234', 0, 0],
    ['... 1234 ...', 0, 0],
    ['1234,', 0, 1],
  ] as const)('%j scores %i strict, %i flexible', (output, strict, flexible) => {
    const score = (kind: 'gsm8k-strict' | 'gsm8k-flexible'): number =>
      Number(normaliseGsm8k(extractAnswer(output, { kind }).value ?? '[invalid]') === normaliseGsm8k(gold));
    expect([score('gsm8k-strict'), score('gsm8k-flexible')]).toEqual([strict, flexible]);
  });
});

describe('every named rule fires on its own form', () => {
  const choice = { kind: 'choice', options: ['Rome', 'Paris', 'Oslo'] } as const;
  const forms: Readonly<Record<string, string>> = {
    'whole-text': 'Paris',
    'json-key': '{"choice": "B"}',
    'answer-cue': 'The answer is B.',
    'truth-list': 'A: False\nB: True\nC: False',
    whole: '(B)',
    leading: 'B. It lies on the Seine.',
    'leading-text': 'Paris, because it lies on the Seine.',
    conclusion: 'A is south and C is north, so B.',
    'only-text': 'They call Paris the capital.',
    'only-letter': 'Everything here points at B',
  };
  it.each(choiceRules.map((rule) => rule.name))('choice: %s', (name) =>
    expect(extractAnswer(forms[name]!, choice)).toMatchObject({ value: 'B', index: 1, rule: name }),
  );
  const cues: Readonly<Record<string, string>> = {
    boxed: '\\boxed{B}',
    'correct-cue': 'Option B is the correct one here',
    'choose-cue': "I'd go with B",
    correction: 'A... no wait, B.',
    'cue-text': 'The answer is Paris.',
  };
  it.each(Object.keys(cues))('choice cue: %s', (name) =>
    expect(extractAnswer(cues[name]!, choice)).toMatchObject({ value: 'B', rule: name }),
  );
  const numbers: Readonly<Record<string, string>> = {
    'hash-marks': 'so\n#### 7',
    'json-key': '{"answer": 7}',
    whole: '$7',
    'answer-cue': 'The answer is 7, not 8.',
    'number-word': 'She has seven apples.',
    'last-number': 'With 3 and 4 she has 7 left',
  };
  it.each(numberRules.map((rule) => rule.name))('number: %s', (name) =>
    expect(extractAnswer(numbers[name]!, { kind: 'number' })).toMatchObject({ value: '7', rule: name }),
  );
});
