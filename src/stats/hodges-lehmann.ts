// Hodges-Lehmann shifts: the estimate that belongs to the rank tests, robust against outliers such as one slow request.
import type { Interval } from '../core/metric.ts';
import { normalQuantile } from './distributions.ts';
import { quantile } from './quantile.ts';

export interface ShiftEstimate {
  readonly shift: number | null;
  readonly interval: Interval | null;
}

function medianOf(sorted: Float64Array): number | null {
  return quantile(sorted, 0.5);
}

/** Interval from the sorted list: cut `rank` values from both ends; null where nothing would be left. */
function trimmed(sorted: Float64Array, rank: number, level: number): Interval | null {
  const cut = Math.floor(rank);
  if (cut < 0 || sorted.length - 1 - cut < cut) return null;
  return { low: sorted[cut]!, high: sorted[sorted.length - 1 - cut]!, level, method: 'hodges-lehmann' };
}

/**
 * Paired shift: median of the Walsh averages of the differences, with the interval of the signed-rank test
 * (Hodges and Lehmann 1963; Hollander, Wolfe and Chicken 2014, sections 3.2 and 3.3). O(n^2): meant for up to a few thousand pairs.
 */
export function pairedShift(differences: ArrayLike<number>, level = 0.95): ShiftEstimate {
  const n = differences.length;
  const walsh = new Float64Array((n * (n + 1)) / 2);
  let place = 0;
  for (let i = 0; i < n; i++) for (let j = i; j < n; j++) walsh[place++] = (differences[i]! + differences[j]!) / 2;
  walsh.sort();
  const z = normalQuantile(1 - (1 - level) / 2);
  const rank = (n * (n + 1)) / 4 - z * Math.sqrt((n * (n + 1) * (2 * n + 1)) / 24);
  return { shift: medianOf(walsh), interval: n < 6 ? null : trimmed(walsh, rank, level) };
}

/** Unpaired shift b - a: median of all differences, with the interval of the Mann-Whitney test (sections 4.2 and 4.3 there). */
export function unpairedShift(a: ArrayLike<number>, b: ArrayLike<number>, level = 0.95): ShiftEstimate {
  const differences = new Float64Array(a.length * b.length);
  let place = 0;
  for (let i = 0; i < a.length; i++) for (let j = 0; j < b.length; j++) differences[place++] = b[j]! - a[i]!;
  differences.sort();
  const product = a.length * b.length;
  const z = normalQuantile(1 - (1 - level) / 2);
  const rank = product / 2 - z * Math.sqrt((product * (a.length + b.length + 1)) / 12);
  return { shift: medianOf(differences), interval: Math.min(a.length, b.length) < 4 ? null : trimmed(differences, rank, level) };
}
