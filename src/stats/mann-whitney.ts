// Mann-Whitney test: do two independent sets of measurements differ in location?
import { normalTwoSidedP } from './distributions.ts';
import { midranks } from './ranks.ts';

export interface MannWhitneyResult {
  /** U of the first sample. */
  readonly statistic: number;
  readonly p: number;
  /** P(a > b) + P(a = b) / 2: 0.5 means no difference. */
  readonly superiority: number | null;
  readonly method: 'exact' | 'normal';
}

const largestExactProduct = 400;

/** P(U <= target) without ties, counting arrangements (Mann and Whitney 1947). */
function exactLowerTail(first: number, second: number, target: number): number {
  const ways = new Float64Array(first * second + 1);
  ways[0] = 1;
  for (let size = 1; size <= first; size++) {
    for (let place = ways.length - 1; place >= second + size; place--) ways[place]! -= ways[place - second - size]!;
    for (let place = size; place < ways.length; place++) ways[place]! += ways[place - size]!;
  }
  let tail = 0;
  let all = 0;
  for (let place = 0; place < ways.length; place++) {
    all += ways[place]!;
    if (place <= target) tail += ways[place]!;
  }
  return tail / all;
}

/** Two-sided test; exact for small samples without ties, else normal with tie and continuity correction (Lehmann 1975, section 1.2). */
export function mannWhitney(a: ArrayLike<number>, b: ArrayLike<number>): MannWhitneyResult {
  const first = a.length;
  const second = b.length;
  if (first === 0 || second === 0) return { statistic: 0, p: 1, superiority: null, method: 'exact' };
  const { ranks, tieTerm } = midranks(Float64Array.from([...Array.from(a), ...Array.from(b)]));
  let rankSum = 0;
  for (let index = 0; index < first; index++) rankSum += ranks[index]!;
  const statistic = rankSum - (first * (first + 1)) / 2;
  const superiority = statistic / (first * second);
  const smaller = Math.min(statistic, first * second - statistic);
  if (tieTerm === 0 && first * second <= largestExactProduct) {
    return { statistic, p: Math.min(1, 2 * exactLowerTail(first, second, smaller)), superiority, method: 'exact' };
  }
  const n = first + second;
  const variance = ((first * second) / 12) * (n + 1 - tieTerm / (n * (n - 1)));
  if (variance <= 0) return { statistic, p: 1, superiority, method: 'normal' };
  const distance = Math.max(0, (first * second) / 2 - smaller - 0.5);
  return { statistic, p: normalTwoSidedP(distance / Math.sqrt(variance)), superiority, method: 'normal' };
}
