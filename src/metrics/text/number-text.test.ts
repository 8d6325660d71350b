import { expect, test } from 'vitest';
import { mathEqual } from './math-equal.ts';
import { parseNumber } from './number-text.ts';

test.each([
  ['5', 5],
  ['-5', -5],
  ['−5', -5],
  ['１２', 12],
  ['١٢', 12],
  ['1,234.5', 1234.5],
  ['1 234', 1234],
  ['1.000', 1],
  ['$1,234', 1234],
  ['-$5', -5],
  ['$-5', -5],
  ['€ 7', 7],
  ['50%', 50],
  ['1/2', 0.5],
  ['3 1/2', 3.5],
  ['3½', 3.5],
  ['-1/4', -0.25],
  ['1e3', 1000],
  ['1.5 × 10^3', 1500],
  ['.5', 0.5],
  ['5.', 5],
  ['0', 0],
  ['12,34', null],
  ['1/0', null],
  ['five', null],
  ['3 apples', null],
  ['', null],
  ['1-2', null],
  ['NaN', null],
  ['Infinity', null],
])('%j reads as %j', (text, expected) => {
  expect(parseNumber(text)).toBe(expected);
});

test('a decimal comma counts where the task says so', () => {
  expect(parseNumber('1.234,5', 'comma')).toBe(1234.5);
  expect(parseNumber('1.000', 'comma')).toBe(1000);
});

test.each([
  ['\\frac{1}{2}', '0.5'],
  ['\\dfrac12', '1/2'],
  ['$\\boxed{\\frac{3}{4}}$', '0.75'],
  ['2\\sqrt{3}', '\\sqrt{12}'],
  ['\\frac{\\sqrt{2}}{2}', '1/\\sqrt{2}'],
  ['3\\pi', '\\pi \\cdot 3'],
  ['2^{10}', '1024'],
  ['(1, 2)', '\\left(1,\\frac{4}{2}\\right)'],
  ['[0, \\infty)', '[0,\\infty)'],
  ['\\{2, 1\\}', '\\{1,2\\}'],
  ['1, 2', '2, 1'],
  ['x = 5', '5'],
  ['90^\\circ', '90'],
  ['5 \\text{ cm}', '5'],
  ['\\text{Monday}', 'Monday'],
  ['1,000', '1000'],
  ['50\\%', '50'],
  ['x^2+1', 'x^{2} + 1'],
  ['5!', '120'],
  ['\\binom{5}{2}', '10'],
])('%s equals %s', (left, right) => {
  expect(mathEqual(left, right)).toBe(true);
  expect(mathEqual(right, left)).toBe(true);
});

test.each([
  ['1/2', '1/3'],
  ['(1, 2)', '(2, 1)'],
  ['(0, 1)', '[0, 1]'],
  ['x + 1', 'x - 1'],
  ['', '5'],
  ['12', '1, 2'],
  ['1000', '1, 000, 0'],
  ['\\sqrt{2}', '1.41'],
])('%s differs from %s', (left, right) => {
  expect(mathEqual(left, right)).toBe(false);
});
