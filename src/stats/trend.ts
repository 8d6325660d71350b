// Is a series level? A straight line for drift and Pettitt's test for a step, used to find warm-up, throttling and steady state.
import type { Interval } from '../core/metric.ts';
import { studentTCdf } from './distributions.ts';
import { mean, tInterval } from './moments.ts';
import { midranks } from './ranks.ts';

export interface LineFit {
  readonly slope: number;
  readonly intercept: number;
  readonly slopeInterval: Interval | null;
  /** Two-sided p of slope = 0. */
  readonly p: number | null;
  readonly r2: number | null;
}

/** Least squares line; null for fewer than two different x. */
export function fitLine(x: ArrayLike<number>, y: ArrayLike<number>, level = 0.95): LineFit | null {
  const n = Math.min(x.length, y.length);
  const middleX = mean(Array.prototype.slice.call(x, 0, n) as number[]) ?? 0;
  const middleY = mean(Array.prototype.slice.call(y, 0, n) as number[]) ?? 0;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let index = 0; index < n; index++) {
    const dx = x[index]! - middleX;
    const dy = y[index]! - middleY;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  if (xx === 0) return null;
  const slope = xy / xx;
  const shared = { slope, intercept: middleY - slope * middleX, r2: yy === 0 ? null : (xy * xy) / (xx * yy) };
  if (n < 3) return { ...shared, slopeInterval: null, p: null };
  const standardError = Math.sqrt(Math.max(0, yy - slope * xy) / (n - 2) / xx);
  const p = standardError === 0 ? (slope === 0 ? 1 : 0) : 2 * studentTCdf(-Math.abs(slope) / standardError, n - 2);
  return { ...shared, slopeInterval: tInterval({ estimate: slope, standardError, df: n - 2, level }), p };
}

export interface ChangePoint {
  /** First value after the step. */
  readonly index: number;
  readonly p: number;
}

/** Pettitt's rank test for one step in a series (Pettitt 1979); null for fewer than four values. */
export function findChangePoint(values: ArrayLike<number>): ChangePoint | null {
  const n = values.length;
  if (n < 4) return null;
  const { ranks } = midranks(values);
  let running = 0;
  let best = -1;
  let index = 1;
  for (let place = 0; place < n - 1; place++) {
    running += ranks[place]!;
    const distance = Math.abs(2 * running - (place + 1) * (n + 1));
    if (distance > best) {
      best = distance;
      index = place + 1;
    }
  }
  return { index, p: Math.min(1, 2 * Math.exp((-6 * best * best) / (n ** 3 + n ** 2))) };
}

/**
 * Is the first run far slower than the rest (cold caches, kernel compilation)? True beyond 1.5 times the median of the others and beyond their
 * slowest; null for fewer than four runs.
 */
export function isFirstRunOutlier(runs: readonly number[]): boolean | null {
  if (runs.length < 4) return null;
  const rest = Float64Array.from(runs.slice(1)).sort();
  const median = rest[Math.floor((rest.length - 1) / 2)]!;
  return runs[0]! > 1.5 * median && runs[0]! > rest[rest.length - 1]!;
}
