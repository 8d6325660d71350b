// The distribution functions that the tests and intervals rest on, from the special functions of one kept library, checked against scipy.
// Special functions instead of whole distributions: a third of the modules to load, which every `compare` would wait for.
import betainc from '@stdlib/math-base-special-betainc';
import betaincinv from '@stdlib/math-base-special-betaincinv';
import erfc from '@stdlib/math-base-special-erfc';
import erfcinv from '@stdlib/math-base-special-erfcinv';

/** P(Z <= z) of the standard normal distribution. */
export function normalCdf(z: number): number {
  return erfc(-z / Math.SQRT2) / 2;
}

/** z with P(Z <= z) = probability. */
export function normalQuantile(probability: number): number {
  return -Math.SQRT2 * erfcinv(2 * probability);
}

/** Two-sided p value of a standard normal deviate, accurate far into the tail. */
export function normalTwoSidedP(z: number): number {
  return erfc(Math.abs(z) / Math.SQRT2);
}

/** P(T <= t) of Student's t with `df` degrees of freedom; `df` may be Infinity (normal). */
export function studentTCdf(t: number, df: number): number {
  if (df === Infinity) return normalCdf(t);
  const square = t * t;
  // Two forms of one integral: the first is exact in the tail, the second around the middle.
  if (square > df) {
    const tail = betainc(df / (df + square), df / 2, 0.5) / 2;
    return t < 0 ? tail : 1 - tail;
  }
  return 0.5 + (Math.sign(t) * betainc(square / (df + square), 0.5, df / 2)) / 2;
}

/** t with P(T <= t) = probability; `df` may be Infinity (normal). */
export function studentTQuantile(probability: number, df: number): number {
  if (df === Infinity) return normalQuantile(probability);
  if (probability === 0.5) return 0;
  if (probability > 0.5) return -studentTQuantile(1 - probability, df);
  if (probability < 0.25) {
    const share = betaincinv(2 * probability, df / 2, 0.5);
    return -Math.sqrt((df * (1 - share)) / share);
  }
  const share = betaincinv(1 - 2 * probability, 0.5, df / 2);
  return -Math.sqrt((df * share) / (1 - share));
}

/** x with P(X <= x) = probability for Beta(a, b). */
export function betaQuantile(probability: number, a: number, b: number): number {
  return betaincinv(probability, a, b);
}

/** P(X <= k) for Binomial(n, p). */
export function binomialCdf(k: number, n: number, p: number): number {
  if (k < 0) return 0;
  return k >= n ? 1 : betainc(1 - p, n - k, k + 1);
}
