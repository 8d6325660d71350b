// Cases for math-equal: what each form is read as, and what it must not be read as.
import { describe, expect, it } from 'vitest';
import { mathEqual } from './math-equal.ts';

const equal: readonly (readonly [string, string])[] = [
  ['1/2', '0.5'],
  ['\\frac{1}{2}', '0.5'],
  ['\\frac12', '\\dfrac{1}{2}'],
  ['\\tfrac{3}{4}', '3/4'],
  ['-\\frac{1}{3}', '\\frac{-1}{3}'],
  ['3\\frac{1}{2}', '\\frac{7}{2}'],
  ['\\sqrt{12}', '2\\sqrt{3}'],
  ['\\sqrt3', '\\sqrt{3}'],
  ['\\frac{\\sqrt{2}}{2}', '\\frac{1}{\\sqrt{2}}'],
  ['\\sqrt[3]{8}', '2'],
  ['\\sqrt{16}', '4'],
  ['√5', '\\sqrt{5}'],
  ['2\\pi', '2 \\pi'],
  ['π', '\\pi'],
  ['\\frac{\\pi}{2}', '0.5\\pi'],
  ['\\pi/4', '\\frac{\\pi}{4}'],
  ['e^2', 'e^{2}'],
  ['$x^2 + 1$', '1+x^2'],
  ['2x', 'x*2'],
  ['x=5', '5'],
  ['a+b+c', 'c + (a + b)'],
  ['\\boxed{7}', '7'],
  ['3x^{2}y', '3yx^2'],
  ['50\\%', '50'],
  ['50%', '50'],
  ['90^\\circ', '90'],
  ['90^{\\circ}', '90°'],
  ['45 degrees', '45'],
  ['\\$18', '18'],
  ['5\\text{ cm}', '5'],
  ['12 \\text{ cm}^2', '12'],
  ['10 meters', '10'],
  ['7\\ \\mathrm{m/s}', '7'],
  ['1{,}000', '1000'],
  ['1,000', '1000'],
  ['10\\,000', '10000'],
  ['0.50', '.5'],
  ['7.', '7'],
  ['2^{10}', '1024'],
  ['5!', '120'],
  ['|-3|', '3'],
  ['\\{1,2,3\\}', '\\{3, 1, 2\\}'],
  ['{1, 2}', '\\{2,1\\}'],
  ['1, 2', '2, 1'],
  ['x=1 \\text{ or } x=2', '1,2'],
  ['(1, 2)', '\\left(1,2\\right)'],
  ['[0, \\infty)', '[0,\\infty)'],
  ['(-\\infty,1)\\cup(2,3]', '(-\\infty, 1) \\cup (2, 3]'],
  ['(1,\\frac{1}{2})', '(1,0.5)'],
  ['1 \\pm \\sqrt{2}', '1+\\sqrt{2}, 1-\\sqrt{2}'],
  ['x \\ge 3', 'x \\geq 3'],
  ['3 \\le x', 'x >= 3'],
  ['1<x<2', '1 < x < 2'],
  ['y = 2x + 1', 'y=1+2x'],
  ['\\text{Monday}', 'Monday'],
  ['\\text{even}', 'Even'],
  ['\\begin{pmatrix} 1 & 2 \\\\ 3 & 4 \\end{pmatrix}', '\\begin{pmatrix}1&2\\\\3&\\frac{8}{2}\\end{pmatrix}'],
  ['\\log_2 8', '\\log_2 8'],
];
const different: readonly (readonly [string, string])[] = [
  ['1/3', '0.33'],
  ['0.333', '1/3'],
  ['1.41', '\\sqrt{2}'],
  ['3.14', '\\pi'],
  ['[0,1]', '[0,1)'],
  ['(1,2)', '(2,1)'],
  ['\\{1,2\\}', '\\{1,2,2\\}'],
  ['1,2', '1,2,3'],
  ['x^2', 'x^3'],
  ['x', 'y'],
  ['X', 'x'],
  ['5', '-5'],
  ['50%', '0.5'],
  ['1/0', '0'],
  ['', '0'],
  ['', ''],
  ['x>3', 'x<3'],
  ['x>3', 'x>=3'],
  ['Monday', 'Tuesday'],
  ['12', '1,2'],
  ['2\\sqrt{3}', '3\\sqrt{2}'],
  ['1000', '1,00'],
  ['(1,2)', '1.2'],
  ['10', '10^2'],
  ['2\\pi', '2'],
  ['\\begin{pmatrix}1\\\\2\\end{pmatrix}', '\\begin{pmatrix}2\\\\1\\end{pmatrix}'],
  ['-x', 'x'],
  ['a-b', 'b-a'],
  ['a/b', 'b/a'],
];

describe('mathEqual', () => {
  it.each(equal)('%s equals %s', (left, right) => {
    expect(mathEqual(left, right)).toBe(true);
    expect(mathEqual(right, left)).toBe(true);
  });
  it.each(different)('%s does not equal %s', (left, right) => {
    expect(mathEqual(left, right)).toBe(false);
    expect(mathEqual(right, left)).toBe(false);
  });
  it('stays quick and never throws on long or broken input', () => {
    for (const text of [
      '('.repeat(5000),
      '\\frac{'.repeat(2000),
      '1'.repeat(5000),
      '2^2^2^2^2^2^2',
      '9^9^9^9',
      '\\sqrt'.repeat(500),
      '{'.repeat(4000),
      ','.repeat(4000),
      '±'.repeat(3000),
      '1!!!!!!',
      '(((1'.repeat(50),
    ]) {
      expect(mathEqual(text, '7')).toBe(false);
      expect(typeof mathEqual(text, `${text} `)).toBe('boolean');
    }
  });
});
