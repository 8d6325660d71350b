// Quantiles (type 7), their order-statistic intervals and the summary that every latency table shows.
import type { Interval } from '../core/metric.ts';
import type { QuantileSummary } from '../core/record.ts';
import { binomialCdf } from './distributions.ts';
import { mean, standardDeviation } from './moments.ts';

/** Fewest samples for a percentile to be worth naming (after the MLPerf inference rules, 99 % confidence). */
const fewestSamplesFor = { p90: 64, p95: 130, p99: 662 } as const;

/** Values in ascending order without NaN and infinities. */
function sortedFinite(values: Iterable<number>): Float64Array {
  const list = Float64Array.from(values).filter(Number.isFinite);
  return list.sort();
}

/**
 * Quantile of ascending values, definition 7 of Hyndman and Fan 1996 (numpy's and R's default); null without values.
 * @param probability in [0, 1]
 */
export function quantile(sorted: ArrayLike<number>, probability: number): number | null {
  const n = sorted.length;
  if (n === 0) return null;
  const place = (n - 1) * Math.min(1, Math.max(0, probability));
  const below = Math.floor(place);
  const low = sorted[below]!;
  const high = sorted[Math.min(n - 1, below + 1)]!;
  return low + (place - below) * (high - low);
}

/**
 * Distribution-free interval of a quantile from two order statistics (Conover 1999, section 3.2): P(X(l) <= q <= X(u)) >= level.
 * null where n is too small for the level.
 */
export function quantileInterval(sorted: ArrayLike<number>, probability: number, level = 0.95): Interval | null {
  const n = sorted.length;
  const tail = (1 - level) / 2;
  let lower = lastRankAtMost(n, probability, tail);
  let upper = firstRankAtLeast(n, probability, 1 - tail);
  if (lower < 1 || upper > n) return null;
  // Ranks are discrete, so equal tails cover more than asked; one step inwards is taken where the level still holds.
  const covers = (low: number, high: number): boolean =>
    binomialCdf(high - 1, n, probability) - binomialCdf(low - 1, n, probability) >= level;
  if (covers(lower, upper - 1)) upper--;
  else if (covers(lower + 1, upper)) lower++;
  return { low: sorted[lower - 1]!, high: sorted[upper - 1]!, level, method: 'order-statistic' };
}

/** Largest rank l with P(Binomial(n, p) <= l - 1) <= tail; 0 if there is none. */
function lastRankAtMost(n: number, p: number, tail: number): number {
  let low = 0;
  let high = n;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (binomialCdf(middle - 1, n, p) <= tail) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Smallest rank u with P(Binomial(n, p) <= u - 1) >= target; n + 1 if there is none. */
function firstRankAtLeast(n: number, p: number, target: number): number {
  let low = 1;
  let high = n + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const reached = middle > n ? true : binomialCdf(middle - 1, n, p) >= target;
    if (reached) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Percentiles that n samples cannot carry. */
function weakPercentiles(n: number): string[] {
  return Object.entries(fewestSamplesFor)
    .filter(([, fewest]) => n > 0 && n < fewest)
    .map(([name]) => name);
}

/** n, mean, sd (n - 1), extremes and percentiles; values that are not finite are left out, no values give nulls. */
export function summarize(values: Iterable<number>): QuantileSummary {
  return summarizeSorted(sortedFinite(values));
}

/** The same of finite values in ascending order. */
export function summarizeSorted(sorted: Float64Array): QuantileSummary {
  const n = sorted.length;
  return {
    n,
    mean: mean(sorted),
    sd: standardDeviation(sorted),
    min: sorted[0] ?? null,
    p50: quantile(sorted, 0.5),
    p90: quantile(sorted, 0.9),
    p95: quantile(sorted, 0.95),
    p99: quantile(sorted, 0.99),
    max: sorted[n - 1] ?? null,
    method: 'type-7',
    weak: weakPercentiles(n),
  };
}
