// The real clock: monotonic durations from performance.now(), UTC stamps for people.
import { setTimeout as sleepFor } from 'node:timers/promises';
import type { Clock } from '../core/ports/clock.ts';

export const monotonicClock: Clock = {
  nowMs: () => performance.now(),
  utc: () => new Date().toISOString(),
  sleep: async (durationMs, signal) => {
    await sleepFor(Math.max(0, durationMs), undefined, signal === undefined ? {} : { signal }).catch((cause: unknown) => {
      if (signal?.aborted !== true) throw cause;
    });
  },
};
