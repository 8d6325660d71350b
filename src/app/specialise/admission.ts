// Back-pressure: a bounded number of requests at work, a bounded queue behind them, and a clear refusal after that.
import { ToolError } from '../../core/errors.ts';

export interface Admission {
  /** Runs the work when there is room. @throws ToolError `unavailable` (retryable) when the queue is full */
  readonly run: <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;
  readonly state: () => { readonly active: number; readonly queued: number; readonly served: number; readonly refused: number };
}

interface Waiter {
  readonly start: () => void;
}

export function createAdmission(limits: { readonly active: number; readonly queued: number }): Admission {
  const waiting: Waiter[] = [];
  let active = 0;
  let served = 0;
  let refused = 0;
  const enter = async (signal?: AbortSignal): Promise<void> => {
    if (active < limits.active) {
      active++;
      return;
    }
    if (waiting.length >= limits.queued) {
      refused++;
      throw new ToolError('unavailable', `busy: ${active} requests at work and ${waiting.length} waiting`, {
        isRetryable: true,
        hint: 'try again in a moment',
      });
    }
    await new Promise<void>((resolve, reject) => {
      const waiter: Waiter = { start: resolve };
      waiting.push(waiter);
      signal?.addEventListener(
        'abort',
        () => {
          const at = waiting.indexOf(waiter);
          if (at < 0) return;
          waiting.splice(at, 1);
          reject(new ToolError('interrupted', 'the caller left while waiting'));
        },
        { once: true },
      );
    });
  };
  const leave = (): void => {
    // The place goes straight to the next one, so `active` stays as it is.
    const next = waiting.shift();
    if (next === undefined) active--;
    else next.start();
  };
  return {
    run: async (work, signal) => {
      await enter(signal);
      try {
        return await work();
      } finally {
        served++;
        leave();
      }
    },
    state: () => ({ active, queued: waiting.length, served, refused }),
  };
}
