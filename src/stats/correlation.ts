// Pearson and Spearman correlation with Fisher intervals.
import type { Interval } from '../core/metric.ts';
import { normalQuantile } from './distributions.ts';
import { mean } from './moments.ts';
import { midranks } from './ranks.ts';

/** Pearson's r; null for fewer than two pairs or where one side does not vary. */
export function pearson(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  const middleX = mean(x);
  const middleY = mean(y);
  if (middleX === null || middleY === null || x.length < 2) return null;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  for (let index = 0; index < x.length; index++) {
    const dx = x[index]! - middleX;
    const dy = y[index]! - middleY;
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  return xx === 0 || yy === 0 ? null : Math.min(1, Math.max(-1, xy / Math.sqrt(xx * yy)));
}

/** Spearman's rho: Pearson's r of midranks. */
export function spearman(x: ArrayLike<number>, y: ArrayLike<number>): number | null {
  return pearson(midranks(x).ranks, midranks(y).ranks);
}

/** Interval by Fisher's z (1921), for Spearman with Bonett and Wright's 2000 variance; null for fewer than four pairs. */
export function correlationInterval(facts: {
  readonly r: number;
  readonly n: number;
  readonly kind: 'pearson' | 'spearman';
  readonly level?: number | undefined;
}): Interval | null {
  if (facts.n < 4 || Math.abs(facts.r) >= 1) return null;
  const level = facts.level ?? 0.95;
  const spread = Math.sqrt((facts.kind === 'spearman' ? 1 + facts.r ** 2 / 2 : 1) / (facts.n - 3));
  const reach = normalQuantile(1 - (1 - level) / 2) * spread;
  const centre = Math.atanh(facts.r);
  return { low: Math.tanh(centre - reach), high: Math.tanh(centre + reach), level, method: 'fisher-z' };
}
