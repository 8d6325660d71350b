// Rolling windows equal lm-eval's (scripts/golden/lm-eval-windows.py); -1 stands for the prefix token.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { rollingWindows } from '../../../src/tasks/rolling-windows.ts';

const golden = JSON.parse(readFileSync(new URL('./rolling-windows.json', import.meta.url), 'utf8')) as {
  readonly cases: readonly { readonly count: number; readonly length: number; readonly windows: readonly (readonly [number[], number[]])[] }[];
};
const range = (start: number, end: number): number[] => Array.from({ length: end - start }, (_, index) => start + index);

test.each(golden.cases)('$count tokens, windows of $length', ({ count, length, windows }) => {
  const made = rollingWindows(count, length).map(({ context, start, end }) => [
    context === null ? [-1] : range(context.start, context.end),
    range(start, end),
  ]);
  expect(made).toEqual(windows);
});

test('a window of no token is refused', () => {
  expect(() => rollingWindows(3, 0)).toThrow('at least one token');
});
