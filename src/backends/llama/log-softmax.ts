// Log-probabilities from raw logits: float64 log-sum-exp over a float32 row, fast enough to be a small part of a forward pass.

/** Powers 2^(-i/64) times a cubic give exp(x) with a relative error below 4e-11 for -44 <= x <= 0; the table fits a first-level cache. */
const stepsPerOctave = 64;
const lowest = -44;
const tableSize = Math.ceil((-lowest / Math.LN2) * stepsPerOctave) + 2;
const powers = Float64Array.from({ length: tableSize }, (_, index) => 2 ** (-index / stepsPerOctave));
const inverseStep = stepsPerOctave / Math.LN2;
const step = Math.LN2 / stepsPerOctave;

/** Normaliser and arg-max of one row of logits. */
export interface RowSummary {
  /** log sum exp(logits); NaN where a logit is NaN. */
  readonly logSumExp: number;
  /** First index of the largest logit (ties as numpy's argmax). */
  readonly argmax: number;
}

/**
 * Terms below exp(-44) of the largest are left out: a vocabulary of 262,144 such terms adds less than 3e-14.
 */
export function summariseRow(logits: Float32Array): RowSummary {
  const maximum = maximumOf(logits);
  return { logSumExp: maximum + Math.log(sumOfExponentials(logits, maximum)), argmax: Math.max(0, logits.indexOf(maximum)) };
}

/** Four lanes, because one chain of comparisons would wait for itself. NaN is never larger, so it is left out here. */
function maximumOf(logits: Float32Array): number {
  let a = -Infinity;
  let b = -Infinity;
  let c = -Infinity;
  let d = -Infinity;
  const whole = logits.length & ~3;
  for (let index = 0; index < whole; index += 4) {
    const w = logits[index]!;
    const x = logits[index + 1]!;
    const y = logits[index + 2]!;
    const z = logits[index + 3]!;
    if (w > a) a = w;
    if (x > b) b = x;
    if (y > c) c = y;
    if (z > d) d = z;
  }
  for (let index = whole; index < logits.length; index++) if (logits[index]! > a) a = logits[index]!;
  return Math.max(a, b, c, d);
}

/**
 * NaN where any logit is NaN: a broken model or engine must not become a score. Masked tokens (-Infinity) add nothing.
 * Two lanes and local constants: more than twice as fast as the plain loop with Math.exp.
 */
function sumOfExponentials(logits: Float32Array, maximum: number): number {
  const table = powers;
  const toSteps = inverseStep;
  const perStep = step;
  const floor = lowest;
  let even = 0;
  let odd = 0;
  let unusual = 0;
  const whole = logits.length & ~1;
  for (let index = 0; index < whole; index += 2) {
    const left = logits[index]! - maximum;
    const right = logits[index + 1]! - maximum;
    if (left > floor) {
      const steps = (0.5 - left * toSteps) | 0;
      const rest = left + steps * perStep;
      even += table[steps]! * (1 + rest + rest * rest * (0.5 + rest * (1 / 6)));
    } else if (left !== -Infinity) unusual += left;
    if (right > floor) {
      const steps = (0.5 - right * toSteps) | 0;
      const rest = right + steps * perStep;
      odd += table[steps]! * (1 + rest + rest * rest * (0.5 + rest * (1 / 6)));
    } else if (right !== -Infinity) unusual += right;
  }
  if (whole < logits.length) odd += Math.exp(logits[whole]! - maximum);
  return Number.isNaN(unusual) ? Number.NaN : even + odd;
}

/** First index of the largest logit. */
export function argmaxOf(logits: Float32Array): number {
  return Math.max(0, logits.indexOf(maximumOf(logits)));
}

/** Indices of the k largest logits, largest first (ties: the lower index first). */
export function topIndices(logits: Float32Array, k: number): number[] {
  const best: number[] = [];
  let threshold = -Infinity;
  for (let index = 0; index < logits.length; index++) {
    const value = logits[index]!;
    if (best.length === k && value <= threshold) continue;
    let place = best.length;
    while (place > 0 && logits[best[place - 1]!]! < value) place--;
    best.splice(place, 0, index);
    if (best.length > k) best.pop();
    threshold = logits[best.at(-1)!]!;
  }
  return best;
}
