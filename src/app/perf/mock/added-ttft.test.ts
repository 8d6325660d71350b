// The client's own share of a TTFT: what the mock took is not counted, whatever order the results are in.
import { expect, test } from 'vitest';
import type { RequestResult } from '../request-log.ts';
import { addedTtftMs } from './added-ttft.ts';

const result = (sentMs: number, ttftMs: number | null) =>
  ({ sentMs, ttftMs, error: ttftMs === null ? 'timeout' : null }) as unknown as RequestResult;

test('takes off what the mock took, request by request', () => {
  expect(addedTtftMs([result(20, 53), result(10, 51)], [50.5, 52])).toEqual([0.5, 1]);
  expect(addedTtftMs([result(10, null), result(20, 51)], [50, 50])).toEqual([1]);
});

test('a request that the mock did not see is an error', () => {
  expect(() => addedTtftMs([result(10, 51)], [])).toThrow('the mock saw 0 requests of 1');
});
