// One score for a group of tasks, with the weighting named and the error bar that belongs to it.
import type { Interval } from '../core/metric.ts';
import { tInterval } from './moments.ts';
import { effectiveWilsonInterval } from './proportion.ts';

export type Weighting = 'documents' | 'tasks';

export interface StratumScore {
  readonly value: number;
  readonly n: number;
  /** Standard error of `value`; null (one item) makes the group's error null. */
  readonly standardError: number | null;
}

export interface GroupScore {
  readonly value: number | null;
  readonly n: number;
  readonly standardError: number | null;
  readonly weighting: Weighting;
}

/**
 * Stratified mean: weights n_i / N (`documents`) or 1 / k (`tasks`); error sqrt(sum w_i^2 se_i^2) (Cochran 1977, section 5.3), so the bar
 * always matches the mean. Strata without items are left out.
 */
export function stratifiedMean(strata: readonly StratumScore[], weighting: Weighting): GroupScore {
  const present = strata.filter((stratum) => stratum.n > 0);
  const n = present.reduce((total, stratum) => total + stratum.n, 0);
  if (n === 0) return { value: null, n: 0, standardError: null, weighting };
  let value = 0;
  let variance = 0;
  let known = true;
  for (const stratum of present) {
    const weight = weighting === 'documents' ? stratum.n / n : 1 / present.length;
    value += weight * stratum.value;
    if (stratum.standardError === null) known = false;
    else variance += (weight * stratum.standardError) ** 2;
  }
  return { value, n, standardError: known ? Math.sqrt(variance) : null, weighting };
}

/**
 * Interval of a group score: Wilson with the effective sample size for shares (so 0 % of all tasks still has an upper end), normal for other
 * units; null without a standard error.
 */
export function stratifiedInterval(
  group: GroupScore,
  options: { readonly isShare: boolean; readonly level?: number | undefined },
): Interval | null {
  const { value, standardError, n } = group;
  if (value === null || standardError === null) return null;
  const level = options.level ?? 0.95;
  if (options.isShare && value >= 0 && value <= 1) {
    return effectiveWilsonInterval({ share: value, standardError, floor: n, df: Infinity, level, method: 'stratified-wilson' });
  }
  return standardError === 0 ? null : tInterval({ estimate: value, standardError, df: Infinity, level, method: 'stratified-normal' });
}

/**
 * Pooled error as lm-evaluation-harness prints it for groups: the pooled within-task variance over all documents. Right only for the
 * documents weighting and equal spreads; kept for parity with published tables.
 */
export function lmEvalPooledStandardError(strata: readonly StratumScore[]): number | null {
  const n = strata.reduce((total, stratum) => total + stratum.n, 0);
  const df = n - strata.length;
  if (df <= 0 || strata.some((stratum) => stratum.standardError === null)) return null;
  const squares = strata.reduce((total, stratum) => total + (stratum.n - 1) * stratum.standardError! ** 2 * stratum.n, 0);
  return Math.sqrt(squares / df / n);
}
