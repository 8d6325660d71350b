// How many requests may be in flight: grows while the server keeps up, halves when it says that it has too much to do.

export interface LoadLimiter {
  /** Waits for a free place. Rejects with the signal's reason when it aborts first. */
  readonly acquire: (signal?: AbortSignal) => Promise<void>;
  /** Gives the place back. `overloaded`: the server answered 429 or 503; then nothing is sent for `pauseMs`. */
  readonly release: (outcome: 'done' | 'failed' | 'overloaded', pauseMs?: number) => void;
  /** Places at this moment. */
  readonly limit: () => number;
  readonly inFlight: () => number;
}

export interface LimiterOptions {
  /** @default 1 */
  readonly start?: number | undefined;
  readonly maximum: number;
}

/**
 * Slow start, then additive growth: the limit doubles per round of answers up to the load at which the server last refused,
 * and grows by one per round above it. A burst of refusals of one round counts once.
 */
export function createLoadLimiter({ start = 1, maximum }: LimiterOptions): LoadLimiter {
  let limit = Math.min(start, maximum);
  let threshold = maximum;
  let inFlight = 0;
  let goodInRound = 0;
  let staleRefusals = 0;
  let resumeAtMs = 0;
  const waiting: (() => void)[] = [];

  const admit = (): void => {
    while (inFlight < limit && waiting.length > 0 && performance.now() >= resumeAtMs) {
      inFlight++;
      waiting.shift()!();
    }
  };
  const pause = (durationMs: number): void => {
    resumeAtMs = Math.max(resumeAtMs, performance.now() + durationMs);
    // Timers may fire a little early by this clock.
    setTimeout(admit, durationMs + 2);
  };
  const grow = (): void => {
    if (++goodInRound < (limit < threshold ? 1 : limit)) return;
    goodInRound = 0;
    limit = Math.min(maximum, limit + 1);
  };
  const shrink = (): void => {
    if (staleRefusals > 0) {
      staleRefusals--;
      return;
    }
    // The requests still out were sent under the old limit: their refusals say nothing new.
    staleRefusals = inFlight;
    limit = Math.max(1, Math.floor(limit / 2));
    threshold = limit;
    goodInRound = 0;
  };
  return {
    acquire: (signal) => {
      if (inFlight < limit && waiting.length === 0 && performance.now() >= resumeAtMs) {
        inFlight++;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const enter = (): void => {
          signal?.removeEventListener('abort', leave);
          resolve();
        };
        const leave = (): void => {
          const index = waiting.indexOf(enter);
          if (index >= 0) waiting.splice(index, 1);
          reject(signal?.reason);
        };
        if (signal?.aborted === true) {
          reject(signal.reason);
          return;
        }
        signal?.addEventListener('abort', leave, { once: true });
        waiting.push(enter);
      });
    },
    release: (outcome, pauseMs = 0) => {
      inFlight--;
      if (outcome === 'overloaded') {
        shrink();
        if (pauseMs > 0) pause(pauseMs);
      } else {
        if (staleRefusals > 0) staleRefusals--;
        if (outcome === 'done') grow();
      }
      admit();
    },
    limit: () => limit,
    inFlight: () => inFlight,
  };
}
