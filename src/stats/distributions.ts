// The distribution functions that the tests and intervals rest on, taken from one kept numeric library and checked against scipy.
import beta from '@stdlib/stats-base-dists-beta';
import binomial from '@stdlib/stats-base-dists-binomial';
import chiSquare from '@stdlib/stats-base-dists-chisquare';
import normal from '@stdlib/stats-base-dists-normal';
import studentT from '@stdlib/stats-base-dists-t';

/** P(Z <= z) of the standard normal distribution. */
export function normalCdf(z: number): number {
  return normal.cdf(z, 0, 1);
}

/** z with P(Z <= z) = probability. */
export function normalQuantile(probability: number): number {
  return normal.quantile(probability, 0, 1);
}

/** Two-sided p value of a standard normal deviate, accurate far into the tail. */
export function normalTwoSidedP(z: number): number {
  return Math.min(1, 2 * normal.cdf(-Math.abs(z), 0, 1));
}

/** P(T <= t) of Student's t with `df` degrees of freedom; `df` may be Infinity (normal). */
export function studentTCdf(t: number, df: number): number {
  return df === Infinity ? normalCdf(t) : studentT.cdf(t, df);
}

/** t with P(T <= t) = probability; `df` may be Infinity (normal). */
export function studentTQuantile(probability: number, df: number): number {
  if (df === Infinity) return normalQuantile(probability);
  return probability === 0.5 ? 0 : studentT.quantile(probability, df);
}

/** x with P(X <= x) = probability for Beta(a, b). */
export function betaQuantile(probability: number, a: number, b: number): number {
  return beta.quantile(probability, a, b);
}

/** P(X <= k) for Binomial(n, p). */
export function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  return k >= n ? 1 : binomial.cdf(k, n, p);
}

/** P(X > x) for chi-square with `df` degrees of freedom. */
export function chiSquareUpperTail(x: number, df: number): number {
  return x <= 0 ? 1 : 1 - chiSquare.cdf(x, df);
}
