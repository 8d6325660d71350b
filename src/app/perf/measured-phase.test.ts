import { expect, test } from 'vitest';
import { cutOf } from './measured-phase.ts';
import type { RequestResult } from './request-log.ts';

function ends(...classes: (string | null)[]): RequestResult[] {
  return classes.map((name, index) => ({ endedMs: index, error: name === null ? null : { class: name, message: '' } }) as RequestResult);
}

test('a phase that was stopped, or whose server went away for good, is no whole measurement', () => {
  expect(cutOf(ends(null, null), true)).toBe('interrupted');
  expect(cutOf(ends(null, null, 'transport', 'transport', 'transport'), false)).toBe('server-gone');
  expect(cutOf(ends('transport', 'transport'), false)).toBe('server-gone');
  // The order in which answers ended decides, not the order in which they are listed.
  expect(cutOf(ends(null, 'transport', 'transport', 'transport').toReversed(), false)).toBe('server-gone');
});

test('failures within a phase are results: it is whole', () => {
  expect(cutOf(ends(null, 'transport', 'transport', 'transport', null), false)).toBeNull();
  expect(cutOf(ends(null, null, null, 'transport', 'transport'), false)).toBeNull();
  expect(cutOf(ends(null, 'timeout', 'timeout', 'timeout'), false)).toBeNull();
  expect(cutOf(ends(null), false)).toBeNull();
});

test('no answer at all', () => {
  expect(cutOf(ends('backend', 'backend', 'backend'), false)).toBe('no-answers');
});
