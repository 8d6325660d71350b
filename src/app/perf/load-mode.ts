// How requests are offered: by a fixed number of users (closed loop) or by a clock (open loop), and when each one is due.
import { createRandom } from '../../stats/random.ts';

export type LoadMode =
  | { readonly kind: 'concurrency'; readonly users: number }
  | { readonly kind: 'constant'; readonly requestsPerSecond: number }
  | { readonly kind: 'poisson'; readonly requestsPerSecond: number; readonly seed: number }
  /** Arrivals of a recorded trace, ms from its start. */
  | { readonly kind: 'trace'; readonly offsetsMs: readonly number[] };

/**
 * When each of `count` requests is due, ms from the start; null for a closed loop, whose next request waits for an answer.
 * Poisson gaps are plain exponential draws: rescaling them to a round duration would take out their natural spread.
 */
export function arrivalTimes(mode: LoadMode, count: number): Float64Array | null {
  switch (mode.kind) {
    case 'concurrency':
      return null;
    case 'constant':
      return Float64Array.from({ length: count }, (_, index) => (index * 1000) / mode.requestsPerSecond);
    case 'poisson': {
      const random = createRandom(mode.seed, 'poisson-arrivals');
      let atMs = 0;
      return Float64Array.from({ length: count }, () => (atMs += (random.exponential() * 1000) / mode.requestsPerSecond));
    }
    case 'trace':
      return Float64Array.from(mode.offsetsMs.slice(0, count));
  }
}

/** `4 users`, `2.5 req/s`, `2.5 req/s Poisson`. */
export function describeLoad(mode: LoadMode): string {
  switch (mode.kind) {
    case 'concurrency':
      return mode.users === 1 ? '1 user' : `${mode.users} users`;
    case 'constant':
      return `${Number(mode.requestsPerSecond.toFixed(3))} req/s`;
    case 'poisson':
      return `${Number(mode.requestsPerSecond.toFixed(3))} req/s Poisson`;
    case 'trace':
      return `trace of ${mode.offsetsMs.length}`;
  }
}
