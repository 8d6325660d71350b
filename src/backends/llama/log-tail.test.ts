import { expect, it } from 'vitest';
import { createLogTail, withoutControls } from './log-tail.ts';

it('keeps the last lines, joined across chunks', () => {
  const log = createLogTail(2);
  log.push(Buffer.from('one\ntw'));
  log.push(Buffer.from('o\nthree\nfour'));
  expect(log.lines()).toEqual(['two', 'three', 'four']);
});

it('removes terminal control sequences', () => {
  expect(withoutControls('\u001b[31merror\u001b[0m \u001b]0;title\u0007x\u0008\u009b')).toBe('error x');
});
