// Log-probabilities from raw logits: float64 log-sum-exp over a float32 row, fast enough to be a small part of a forward pass.

/** The table steps of 2^(1/32) times a short polynomial give exp(x) with a relative error below 2e-12 for -44 <= x <= 0. */
const stepsPerOctave = 32;
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
  let maximum = -Infinity;
  let argmax = 0;
  let checksum = 0;
  for (let index = 0; index < logits.length; index++) {
    const value = logits[index]!;
    checksum += value;
    if (value > maximum) {
      maximum = value;
      argmax = index;
    }
  }
  // -Infinity (masked tokens) is legal; NaN is a broken model or engine and must not become a score.
  if (Number.isNaN(checksum) && hasNaN(logits)) return { logSumExp: Number.NaN, argmax };
  return { logSumExp: maximum + Math.log(sumOfExponentials(logits, maximum)), argmax };
}

function sumOfExponentials(logits: Float32Array, maximum: number): number {
  let sum = 0;
  for (let index = 0; index < logits.length; index++) {
    const difference = logits[index]! - maximum;
    if (difference > lowest) {
      const steps = (-difference * inverseStep + 0.5) | 0;
      const rest = difference + steps * step;
      sum += powers[steps]! * (1 + rest * (1 + rest * (0.5 + rest * (1 / 6 + rest * (1 / 24)))));
    }
  }
  return sum;
}

function hasNaN(logits: Float32Array): boolean {
  for (let index = 0; index < logits.length; index++) if (Number.isNaN(logits[index])) return true;
  return false;
}

/** First index of the largest logit. */
export function argmaxOf(logits: Float32Array): number {
  let maximum = -Infinity;
  let argmax = 0;
  for (let index = 0; index < logits.length; index++) {
    if (logits[index]! > maximum) {
      maximum = logits[index]!;
      argmax = index;
    }
  }
  return argmax;
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
