// Intervals for proportions that stay honest at 0 % and 100 %.
import type { Interval } from '../core/metric.ts';
import { betaQuantile, normalQuantile, studentTQuantile } from './distributions.ts';

export interface ProportionFacts {
  /** May be fractional where a tie earned part of a point. */
  readonly successes: number;
  readonly n: number;
  /** @default 0.95 */
  readonly level?: number | undefined;
}

function wilsonFromScore(share: number, n: number, z: number): { low: number; high: number } {
  const zz = (z * z) / n;
  const centre = (share + zz / 2) / (1 + zz);
  const reach = ((z / (1 + zz)) * Math.sqrt(share * (1 - share) + zz / 4)) / Math.sqrt(n);
  return { low: share <= 0 ? 0 : Math.max(0, centre - reach), high: share >= 1 ? 1 : Math.min(1, centre + reach) };
}

/**
 * Wilson score interval without continuity correction (Wilson 1927); null for n = 0.
 * @example wilsonInterval({ successes: 0, n: 25 }) // 0 to 0.133
 */
export function wilsonInterval({ successes, n, level = 0.95 }: ProportionFacts): Interval | null {
  if (n <= 0) return null;
  return { ...wilsonFromScore(successes / n, n, normalQuantile(1 - (1 - level) / 2)), level, method: 'wilson' };
}

/**
 * Wilson interval with the effective sample size p (1 - p) / se^2 in place of n and t in place of z, for clustered or stratified
 * proportions (Korn and Graubard 1998; Dean and Pagano 2015). Where the standard error is 0 the effective size is `floor`.
 */
export function effectiveWilsonInterval(facts: {
  readonly share: number;
  readonly standardError: number;
  /** Number of independent units: the effective size where the standard error says nothing. */
  readonly floor: number;
  /** Degrees of freedom of the standard error; Infinity uses z. */
  readonly df: number;
  readonly level?: number | undefined;
  readonly method: string;
}): Interval {
  const level = facts.level ?? 0.95;
  const spread = facts.share * (1 - facts.share);
  const size = spread > 0 && facts.standardError > 0 ? spread / (facts.standardError * facts.standardError) : facts.floor;
  const deviate = studentTQuantile(1 - (1 - level) / 2, facts.df);
  return { ...wilsonFromScore(facts.share, size, deviate), level, method: facts.method };
}

/** Clopper-Pearson exact interval (Clopper and Pearson 1934), never below its level; null for n = 0. */
export function clopperPearsonInterval({ successes, n, level = 0.95 }: ProportionFacts): Interval | null {
  if (n <= 0) return null;
  const tail = (1 - level) / 2;
  return {
    low: successes <= 0 ? 0 : betaQuantile(tail, successes, n - successes + 1),
    high: successes >= n ? 1 : betaQuantile(1 - tail, successes + 1, n - successes),
    level,
    method: 'clopper-pearson',
  };
}
