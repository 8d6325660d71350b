import { expect, test } from 'vitest';
import { pythonRegex } from './python-regex.ts';

test.each([
  ['(?s).*#### ', 'a\nb #### 5', '5'],
  ['\\.$', '5.\n', '5\n'],
  ['\\.$', '5. ', '5. '],
  ['\\s', 'a\x1cb\ufeffc', 'ab\ufeffc'],
  ['.', 'a\nb\u2028', '\n'],
  ['\\bthe\\b', 'the éthe', ' éthe'],
  ['[]x]', ']x', ''],
  ['[^]x]', 'a]', ']'],
  ['\\d+', '١٢', ''],
  ['(?i)ABC', 'xabc', 'x'],
  ['x{,2}y', 'xxy', ''],
  ['{a}', '{a}b', 'b'],
  ["\\'\\-\\ ", "'- ", ''],
  ['(?P<n>a)(?P=n)', 'aa', ''],
])('%s deletes what Python would delete', (pattern, text, left) => {
  expect(text.replace(pythonRegex(pattern, 'g'), '')).toBe(left);
});

test('a pattern that cannot be read is an error with the pattern in it', () => {
  expect(() => pythonRegex('(unclosed')).toThrow(/\(unclosed/);
  expect(() => pythonRegex('(?x)a b')).toThrow(/flag/);
});
