import { expect, test } from 'vitest';
import { extractAnswer } from './extract-answer.ts';

const source = ['def add(a, b):', '    total = a + b', '    return total'];

test.each([
  ['LF', '\n'],
  ['CR LF', '\r\n'],
  ['CR', '\r'],
])('code is read the same whatever its line ends: %s', (_, end) => {
  const expected = source.join('\n');
  const bare = extractAnswer(source.join(end), { kind: 'code', entryPoint: 'add' });
  expect(bare.value?.trimEnd()).toBe(expected);
  const fenced = extractAnswer(['Here it is:', '```python', ...source, '```'].join(end), {
    kind: 'code',
    language: 'python',
    entryPoint: 'add',
  });
  expect(fenced.value?.trimEnd()).toBe(expected);
});
