// Sign-flip test of paired differences: assumes only that the two models would be exchangeable if they were equal.
import { createRandom } from './random.ts';

export interface PermutationResult {
  /** Mean difference that was seen. */
  readonly difference: number | null;
  readonly p: number;
  readonly method: 'exact' | 'sampled';
  readonly permutations: number;
}

const largestExactN = 16;

/** Share of all 2^n sign patterns whose total is at least as extreme, walking a Gray code so that each step flips one sign. */
function exactShare(values: Float64Array, seen: number, slack: number): number {
  let total = values.reduce((left, right) => left + right, 0);
  const signs = new Int8Array(values.length).fill(1);
  const patterns = 2 ** values.length;
  let extreme = Math.abs(total) >= seen - slack ? 1 : 0;
  for (let step = 1; step < patterns; step++) {
    const flip = 31 - Math.clz32(step & -step);
    total -= 2 * signs[flip]! * values[flip]!;
    signs[flip] = -signs[flip]!;
    if (Math.abs(total) >= seen - slack) extreme++;
  }
  return extreme / patterns;
}

/**
 * Two-sided paired permutation test of the mean difference (Fisher 1935; Good 2005, chapter 3). Exact up to 16 differences that are not
 * zero, else sampled with p = (extreme + 1) / (permutations + 1) (Phipson and Smyth 2010). For clustered items give one total per cluster.
 */
export function pairedPermutation(
  differences: ArrayLike<number>,
  options: { readonly seed: number; readonly permutations?: number | undefined },
): PermutationResult {
  if (differences.length === 0) return { difference: null, p: 1, method: 'exact', permutations: 0 };
  const all = Float64Array.from(differences);
  const difference = all.reduce((left, right) => left + right, 0) / all.length;
  const values = all.filter((value) => value !== 0);
  const seen = Math.abs(values.reduce((left, right) => left + right, 0));
  const slack = 1e-12 * values.reduce((total, value) => total + Math.abs(value), 0);
  if (values.length <= largestExactN) {
    return { difference, p: exactShare(values, seen, slack), method: 'exact', permutations: 2 ** values.length };
  }
  const permutations = options.permutations ?? 10_000;
  const random = createRandom(options.seed, 'permutation');
  let extreme = 0;
  for (let index = 0; index < permutations; index++) {
    let total = 0;
    let bits = 0;
    for (let item = 0; item < values.length; item++) {
      if ((item & 31) === 0) bits = random.uint32();
      total += (bits & 1) === 0 ? values[item]! : -values[item]!;
      bits >>>= 1;
    }
    if (Math.abs(total) >= seen - slack) extreme++;
  }
  return { difference, p: (extreme + 1) / (permutations + 1), method: 'sampled', permutations };
}
