// Numbers as people write them: units with powers, sizes by letter or word, signs, roots, and what is no number at all.
import { describe, expect, it } from 'vitest';
import { extractAnswer } from './extract-answer.ts';

const read = (text: string): string | null => extractAnswer(text, { kind: 'number' }).value;

describe('the power of a unit is no part of the number', () => {
  it.each([
    ['The area is 5 cm^2.', '5'],
    ['5 cm².', '5'],
    ['5 m^2', '5'],
    ['\\boxed{5 \\text{ cm}^2}', '5'],
    ['\\boxed{12\\text{ m}^{3}}', '12'],
    ['9.8 m s^{-2}', '9.8'],
    ['The volume is 12 m³.', '12'],
    ['10^3', '1000'],
    ['2^10', '1024'],
  ])('%j is %s', (text, value) => expect(read(text)).toBe(value));
});

describe('a letter or word of size multiplies', () => {
  it.each([
    ['2.5k', '2500'],
    ['$3M', '3000000'],
    ['£1.2m', '1200000'],
    ['3M €', '3000000'],
    ['USD 3M', '3000000'],
    ['1.2 bn', '1200000000'],
    ['1.5 lakh', '150000'],
    ['2 crore', '20000000'],
    ['3 dozen', '36'],
    ['three dozen', '36'],
    ['5 dozen eggs', '60'],
  ])('%j is %s', (text, value) => expect(read(text)).toBe(value));
  it.each([
    ['1.2m', '1.2'],
    ['5M', '5'],
    ['300K', '300'],
    ['5 MB', '5'],
    ['5 kg', '5'],
    ['5 km', '5'],
  ])('%j may be a unit: %s', (text, value) => expect(read(text)).toBe(value));
});

describe('a minus that stands apart after a cue', () => {
  it.each([
    ['Answer: - 5', '-5'],
    ['The answer is - 5', '-5'],
    ['x = - 7', '-7'],
    ['Answer: – 5', '-5'],
    ['\\boxed{- 5}', '-5'],
    ['10 - 5 = 5', '5'],
    ['- 5\n- 6', '6'],
  ])('%j is %s', (text, value) => expect(read(text)).toBe(value));
});

describe('roots', () => {
  it.each([
    ['\\boxed{\\sqrt{16}}', '4'],
    ['\\boxed{3\\sqrt{4}}', '6'],
    ['-\\sqrt{16}', '-4'],
    ['√49', '7'],
    ['sqrt(16)', '4'],
    ['\\sqrt{25} = 5', '5'],
    ['\\boxed{\\sqrt{2}}', null],
    ['\\boxed{3\\sqrt{2}}', null],
    ['\\sqrt[3]{27}', null],
    ['The answer is sqrt(2)', null],
  ])('%j is %s', (text, value) => expect(read(text)).toBe(value));
});

describe('a number that the reply denies is not its answer', () => {
  it.each([
    ['Answer: not 13', null],
    ['It is not 5.', null],
    ["It isn't 5", null],
    ['5 is not the answer', null],
    ['5 is wrong', null],
    ['It cannot be 12.', null],
    ["I don't think the answer is 5.", null],
    ['The wrong answer is 5', null],
    ['The answer is anything but 5', null],
    ['The answer is not 13 but 14.', '14'],
    ['It is not 5, it is 6.', '6'],
    ['I got 7, not 8', '7'],
    ['No more than 5', '5'],
  ])('%j is %s', (text, value) => expect(read(text)).toBe(value));
});

describe('what a person could not read as one number', () => {
  it.each([
    '\\boxed{5, 6}',
    '\\boxed{5 \\text{ and } 6}',
    '\\boxed{(3, 4)}',
    '1,0000',
    '1,00000 apples',
    '2024-05-01',
    '05-01-2024',
    'v1.2.3',
    '\\boxed{x=5, y=6}',
    'PM2.5',
  ])('%j is none', (text) => expect(read(text)).toBeNull());
  it.each([
    ['On 2024-05-01 she had 7 apples', '7'],
    ['v1.2.3 has 4 bugs', '4'],
    ['2024-2020 = 4', '4'],
    ['3,1416', '3.1416'],
    ['\\boxed{1,234}', '1234'],
  ])('%j is %s', (text, value) => expect(read(text)).toBe(value));
});
