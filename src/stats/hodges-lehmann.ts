// Hodges-Lehmann shifts: the estimate that belongs to the rank tests, robust against outliers such as one slow request.
import type { Interval } from '../core/metric.ts';
import { normalQuantile } from './distributions.ts';

export interface ShiftEstimate {
  readonly shift: number | null;
  readonly interval: Interval | null;
}

/** Values that are implied by pairs of observations and never listed: how many there are, their range, how many are at most t. */
interface ImpliedValues {
  readonly count: number;
  readonly lowest: number;
  readonly highest: number;
  readonly atMost: (t: number) => number;
}

/** The k-th smallest implied value (k from 1), exact: halves the range until its ends are neighbouring doubles. */
function kthSmallest(values: ImpliedValues, k: number): number {
  let low = values.lowest;
  let high = values.highest;
  if (values.atMost(low) >= k) return low;
  for (;;) {
    const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    if (values.atMost(middle) >= k) high = middle;
    else low = middle;
  }
}

function medianOf(values: ImpliedValues): number {
  const upper = Math.floor(values.count / 2) + 1;
  const high = kthSmallest(values, upper);
  return values.count % 2 === 1 ? high : (kthSmallest(values, upper - 1) + high) / 2;
}

/** Interval between the values that `rank` others lie outside of; null where nothing would be left. */
function trimmed(values: ImpliedValues, rank: number, level: number): Interval | null {
  const cut = Math.floor(rank);
  if (cut < 0 || values.count - cut < cut + 1) return null;
  return { low: kthSmallest(values, cut + 1), high: kthSmallest(values, values.count - cut), level, method: 'hodges-lehmann' };
}

/** Walsh averages (d_i + d_j) / 2, i <= j, of ascending differences. */
function walshAverages(sorted: Float64Array): ImpliedValues {
  const n = sorted.length;
  const atMost = (t: number): number => {
    let count = 0;
    let top = n - 1;
    for (let i = 0; i < n; i++) {
      while (top >= i && (sorted[i]! + sorted[top]!) / 2 > t) top--;
      if (top < i) break;
      count += top - i + 1;
    }
    return count;
  };
  return { count: (n * (n + 1)) / 2, lowest: sorted[0]!, highest: sorted[n - 1]!, atMost };
}

/** All differences b_j - a_i of two ascending samples. */
function allDifferences(a: Float64Array, b: Float64Array): ImpliedValues {
  const atMost = (t: number): number => {
    let count = 0;
    let top = 0;
    for (let i = 0; i < a.length; i++) {
      while (top < b.length && b[top]! - a[i]! <= t) top++;
      count += top;
    }
    return count;
  };
  return { count: a.length * b.length, lowest: b[0]! - a[a.length - 1]!, highest: b[b.length - 1]! - a[0]!, atMost };
}

const nothing: ShiftEstimate = { shift: null, interval: null };

/**
 * Paired shift: median of the Walsh averages of the differences, with the interval of the signed-rank test
 * (Hodges and Lehmann 1963; Hollander, Wolfe and Chicken 2014, sections 3.2 and 3.3). O(n log n) time, O(n) memory.
 */
export function pairedShift(differences: ArrayLike<number>, level = 0.95): ShiftEstimate {
  const n = differences.length;
  if (n === 0) return nothing;
  const values = walshAverages(Float64Array.from(differences).sort());
  const z = normalQuantile(1 - (1 - level) / 2);
  const rank = (n * (n + 1)) / 4 - z * Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
  return { shift: medianOf(values), interval: n < 6 ? null : trimmed(values, rank, level) };
}

/** Unpaired shift b - a: median of all differences, with the interval of the Mann-Whitney test (sections 4.2 and 4.3 there). */
export function unpairedShift(a: ArrayLike<number>, b: ArrayLike<number>, level = 0.95): ShiftEstimate {
  const product = a.length * b.length;
  if (product === 0) return nothing;
  const values = allDifferences(Float64Array.from(a).sort(), Float64Array.from(b).sort());
  const z = normalQuantile(1 - (1 - level) / 2);
  const rank = product / 2 - z * Math.sqrt((product * (a.length + b.length + 1)) / 12);
  return { shift: medianOf(values), interval: Math.min(a.length, b.length) < 4 ? null : trimmed(values, rank, level) };
}
