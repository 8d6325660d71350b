// Tries again what did not reach the server or was turned away, and never what the server answered wrongly.
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../../core/errors.ts';
import type { LoadLimiter } from './load-limiter.ts';
import { PassingFault } from './server-fault.ts';

export interface Patience {
  /** Tries after the first one; 0 for load tests, where a refusal is a result. @default 3 */
  readonly retries: number;
  /** Tries after a refusal for too much load: such a server works, it only wants to be asked later. @default 15 */
  readonly overloadRetries: number;
  /** Pause before the first retry, ms; doubles each time, with jitter, unless the server names a time. */
  readonly firstPauseMs: number;
}

export const defaultPatience: Patience = { retries: 3, overloadRetries: 15, firstPauseMs: 250 };

const longestPauseMs = 30_000;
/** Idle connections of a pool may all be stale; after a few there is another reason. */
const maxStale = 3;

/**
 * Runs `attempt` inside a place of the limiter. A `PassingFault` (connection refused or reset before content, 429, 502, 503, 504) is
 * tried again after the pause the server asked for; in the end its error is thrown as final, since retrying is done.
 */
export async function askPatiently<T>(
  attempt: () => Promise<T>,
  { retries, overloadRetries, firstPauseMs }: Patience,
  limiter: LoadLimiter | null,
  signal?: AbortSignal,
): Promise<T> {
  for (let tried = 0, refused = 0, stale = 0; ; ) {
    let outcome: 'done' | 'failed' | 'overloaded' = 'failed';
    try {
      await limiter?.acquire(signal);
    } catch {
      throw interrupted();
    }
    let pauseMs = 0;
    try {
      const result = await attempt();
      outcome = 'done';
      return result;
    } catch (thrown) {
      if (!(thrown instanceof PassingFault)) throw thrown;
      // A load test too must not count the server's keep-alive limit as a failure.
      if (thrown.isStale && stale++ < maxStale) continue;
      if (thrown.isOverload) outcome = 'overloaded';
      const round = thrown.isOverload ? refused++ : tried++;
      if (round >= (thrown.isOverload ? overloadRetries : retries)) throw finalError(thrown.fault, round);
      pauseMs = thrown.retryAfterMs ?? Math.min(longestPauseMs, firstPauseMs * 2 ** round * (0.75 + Math.random() / 2));
    } finally {
      limiter?.release(outcome, pauseMs);
    }
    try {
      await sleep(pauseMs, undefined, signal === undefined ? {} : { signal });
    } catch {
      throw interrupted();
    }
  }
}

function finalError(fault: ToolError, retries: number): ToolError {
  const times = retries === 0 ? '' : ` (after ${retries} ${retries === 1 ? 'retry' : 'retries'})`;
  return new ToolError(fault.code, `${fault.message}${times}`, { hint: fault.hint, cause: fault.cause });
}

function interrupted(): ToolError {
  return new ToolError('interrupted', 'the request was cancelled');
}
