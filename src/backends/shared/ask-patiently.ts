// Tries again what did not reach the server or was turned away, and never what the server answered wrongly.
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../../core/errors.ts';
import type { LoadLimiter } from './load-limiter.ts';
import { PassingFault } from './server-fault.ts';

export interface Patience {
  /** Tries after the first one; 0 for load tests, where a refusal is a result. @default 3 */
  readonly retries: number;
  /** Pause before the first retry, ms; doubles each time, with jitter, unless the server names a time. */
  readonly firstPauseMs: number;
}

export const defaultPatience: Patience = { retries: 3, firstPauseMs: 250 };

/**
 * Runs `attempt` inside a place of the limiter. A `PassingFault` (connection refused or reset before content, 429, 502, 503, 504) is
 * tried again after the pause the server asked for; in the end its error is thrown as final, since retrying is done.
 */
export async function askPatiently<T>(
  attempt: () => Promise<T>,
  { retries, firstPauseMs }: Patience,
  limiter: LoadLimiter | null,
  signal?: AbortSignal,
): Promise<T> {
  for (let tried = 0; ; tried++) {
    let outcome: 'done' | 'failed' | 'overloaded' = 'failed';
    try {
      await limiter?.acquire(signal);
    } catch {
      throw interrupted();
    }
    let pauseMs: number;
    try {
      const result = await attempt();
      outcome = 'done';
      return result;
    } catch (thrown) {
      if (!(thrown instanceof PassingFault)) throw thrown;
      if (thrown.isOverload) outcome = 'overloaded';
      if (tried >= retries) throw finalError(thrown.fault, tried);
      pauseMs = thrown.retryAfterMs ?? firstPauseMs * 2 ** tried * (0.75 + Math.random() / 2);
    } finally {
      limiter?.release(outcome);
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
