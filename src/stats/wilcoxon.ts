// Wilcoxon signed-rank test: is a paired shift there, without assuming a normal distribution?
import { normalTwoSidedP } from './distributions.ts';
import { midranks } from './ranks.ts';

export interface WilcoxonResult {
  /** Smaller of the two rank sums. */
  readonly statistic: number;
  readonly p: number;
  /** Differences that are not zero. */
  readonly n: number;
  readonly zeros: number;
  readonly method: 'exact' | 'normal';
}

const largestExactN = 50;

/** P(rank sum <= target) under random signs, by counting over doubled midranks (exact with ties, given the ranks). */
function exactLowerTail(ranks: Float64Array, target: number): number {
  const doubled = Array.from(ranks, (rank) => Math.round(2 * rank));
  const total = doubled.reduce((left, right) => left + right, 0);
  const ways = new Float64Array(total + 1);
  ways[0] = 1;
  let reached = 0;
  for (const rank of doubled) {
    reached += rank;
    for (let place = reached; place >= rank; place--) ways[place]! += ways[place - rank]!;
  }
  let tail = 0;
  for (let place = 0; place <= Math.round(2 * target); place++) tail += ways[place]!;
  return tail / 2 ** doubled.length;
}

/**
 * Two-sided signed-rank test of paired differences (Wilcoxon 1945). Zeros are dropped; exact up to 50 differences, then the normal
 * approximation with tie correction and no continuity correction (Hollander, Wolfe and Chicken 2014, section 3.1).
 */
export function wilcoxonSignedRank(differences: ArrayLike<number>): WilcoxonResult {
  const kept = Float64Array.from(differences).filter((difference) => difference !== 0);
  const n = kept.length;
  const zeros = differences.length - n;
  if (n === 0) return { statistic: 0, p: 1, n, zeros, method: 'exact' };
  const { ranks, tieTerm } = midranks(kept.map(Math.abs));
  let plus = 0;
  for (let index = 0; index < n; index++) if (kept[index]! > 0) plus += ranks[index]!;
  const all = (n * (n + 1)) / 2;
  const statistic = Math.min(plus, all - plus);
  if (n <= largestExactN) return { statistic, p: Math.min(1, 2 * exactLowerTail(ranks, statistic)), n, zeros, method: 'exact' };
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - tieTerm / 48;
  return { statistic, p: normalTwoSidedP((statistic - all / 2) / Math.sqrt(variance)), n, zeros, method: 'normal' };
}
