// Did one model get more of the same questions right? The exact McNemar test and the interval of the difference.
import type { Interval } from '../core/metric.ts';
import { binomialCdf, normalQuantile } from './distributions.ts';

export interface Discordance {
  /** Items that only the first model has right. */
  readonly onlyA: number;
  /** Items that only the second model has right. */
  readonly onlyB: number;
}

/** Exact two-sided McNemar test (McNemar 1947; binomial form): p = 1 where the models never differ. */
export function mcnemarExact({ onlyA, onlyB }: Discordance): { readonly p: number; readonly discordant: number } {
  const discordant = onlyA + onlyB;
  if (discordant === 0) return { p: 1, discordant };
  return { p: Math.min(1, 2 * binomialCdf(Math.min(onlyA, onlyB), discordant, 0.5)), discordant };
}

/** Standard error of p(A) - p(B) on the same items after adding half an item to each of the four cells: never 0 (Agresti and Min 2005). */
export function pairedProportionError({ onlyA, onlyB, n }: Discordance & { readonly n: number }): number {
  const difference = onlyA - onlyB;
  return Math.sqrt(onlyA + onlyB + 1 - (difference * difference) / (n + 2)) / (n + 2);
}

/** Interval of p(A) - p(B) on the same items: Wald around the adjusted difference (Agresti and Min 2005); null for n = 0. */
export function pairedProportionInterval(
  facts: Discordance & { readonly n: number; readonly level?: number | undefined },
): Interval | null {
  if (facts.n <= 0) return null;
  const level = facts.level ?? 0.95;
  const difference = (facts.onlyA - facts.onlyB) / (facts.n + 2);
  const reach = normalQuantile(1 - (1 - level) / 2) * pairedProportionError(facts);
  return { low: Math.max(-1, difference - reach), high: Math.min(1, difference + reach), level, method: 'agresti-min' };
}
