// Exact binomial and multinomial draws, so that a bootstrap over counts costs cells instead of rows.
import type { Random } from './random.ts';

const stirlingTable = [
  0.0810614667953272, 0.0413406959554092, 0.0276779256849983, 0.020790672103765, 0.0166446911898211, 0.0138761288230707, 0.0118967099458917,
  0.010411265261972, 0.0092554621827127, 0.0083305634333628,
];

/** Correction term of Stirling's series for ln k!. */
function stirlingTail(k: number): number {
  const fromTable = stirlingTable[k];
  if (fromTable !== undefined) return fromTable;
  const next = k + 1;
  const square = next * next;
  return (1 / 12 - (1 / 360 - 1 / 1260 / square) / square) / next;
}

/** Sequential search from 0; quick while n p is small. */
function byInversion(n: number, p: number, random: Random): number {
  const ratio = p / (1 - p);
  let probability = (1 - p) ** n;
  let left = random.next();
  let k = 0;
  while (left > probability && k < n) {
    left -= probability;
    k++;
    probability *= (ratio * (n - k + 1)) / k;
  }
  return k;
}

/** Transformed rejection with squeeze, algorithm BTRS of Hoermann 1993 ("The generation of binomial random variates"). */
function byRejection(n: number, p: number, random: Random): number {
  const q = 1 - p;
  const spread = Math.sqrt(n * p * q);
  const b = 1.15 + 2.53 * spread;
  const a = -0.0873 + 0.0248 * b + 0.01 * p;
  const centre = n * p + 0.5;
  const squeeze = 0.92 - 4.2 / b;
  const alpha = (2.83 + 5.1 / b) * spread;
  const mode = Math.floor((n + 1) * p);
  const ratio = p / q;
  for (;;) {
    const u = random.next() - 0.5;
    const v = random.next();
    const us = 0.5 - Math.abs(u);
    const k = Math.floor(((2 * a) / us + b) * u + centre);
    if (us >= 0.07 && v <= squeeze) return k;
    if (k < 0 || k > n) continue;
    const bound =
      (mode + 0.5) * Math.log((mode + 1) / (ratio * (n - mode + 1))) +
      (n + 1) * Math.log((n - mode + 1) / (n - k + 1)) +
      (k + 0.5) * Math.log((ratio * (n - k + 1)) / (k + 1)) +
      stirlingTail(mode) +
      stirlingTail(n - mode) -
      stirlingTail(k) -
      stirlingTail(n - k);
    if (Math.log((v * alpha) / (a / (us * us) + b)) <= bound) return k;
  }
}

/** One draw from Binomial(n, p). */
export function sampleBinomial(n: number, p: number, random: Random): number {
  if (n <= 0 || p <= 0) return 0;
  if (p >= 1) return n;
  if (p > 0.5) return n - sampleBinomial(n, 1 - p, random);
  return n * p < 10 ? byInversion(n, p, random) : byRejection(n, p, random);
}

/** One multinomial draw of sum(counts) items with cell probabilities counts / sum, by conditional binomials, into `into`. */
export function sampleMultinomial(counts: Float64Array, total: number, random: Random, into: Float64Array): void {
  let leftItems = total;
  let leftWeight = total;
  for (let cell = 0; cell < counts.length; cell++) {
    const weight = counts[cell]!;
    if (weight === 0 || leftItems === 0) {
      into[cell] = 0;
      leftWeight -= weight;
      continue;
    }
    const drawn = weight >= leftWeight ? leftItems : sampleBinomial(leftItems, weight / leftWeight, random);
    into[cell] = drawn;
    leftItems -= drawn;
    leftWeight -= weight;
  }
}
