// How much later than the mock sent it the client saw the first token.
import { ToolError } from '../../../core/errors.ts';
import type { RequestResult } from '../request-log.ts';

/** TTFT of each answer beyond what the mock itself took, ms. `delaysMs` in order of arrival; requests arrive as they were sent. */
export function addedTtftMs(results: readonly RequestResult[], delaysMs: readonly number[]): number[] {
  if (results.length !== delaysMs.length) throw new ToolError('internal', `the mock saw ${delaysMs.length} requests of ${results.length}`);
  const added: number[] = [];
  for (const [order, { ttftMs, error }] of results.toSorted((a, b) => a.sentMs - b.sentMs).entries())
    if (error === null && ttftMs !== null) added.push(ttftMs - delaysMs[order]!);
  return added;
}
