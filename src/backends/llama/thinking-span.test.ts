import { expect, it } from 'vitest';
import { readThinking } from './thinking-span.ts';

const tokens = (...texts: string[]) => texts.map((text, index) => ({ id: index, text, timeMs: index + 1 }));

it('finds the answer after an inline reasoning block, however tokens cut the tags', () => {
  expect(readThinking(tokens('<th', 'ink>', 'hm', '</thi', 'nk>\n', '\n', 'Paris'), '')).toEqual({ tokens: 5, answerAtMs: 7 });
});
it('counts a block that the template opened', () => {
  expect(readThinking(tokens('hm', '</think>', 'Yes'), 'user: hi\n<think>\n')).toEqual({ tokens: 2, answerAtMs: 3 });
});
it('gives null where only reasoning came, and 0 tokens where none did', () => {
  expect(readThinking(tokens('<think>', 'hm'), '')).toEqual({ tokens: 2, answerAtMs: null });
  expect(readThinking(tokens(' ', 'Paris'), '')).toEqual({ tokens: 0, answerAtMs: 2 });
  expect(readThinking([], '')).toEqual({ tokens: 0, answerAtMs: null });
});
