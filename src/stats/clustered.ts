// Standard errors for items that are not independent: questions on one passage, repeats of one item.
import type { Interval } from '../core/metric.ts';
import { squaredDeviations, sum, tInterval } from './moments.ts';

/**
 * `miller`: variance of independent items plus the covariances inside clusters (Miller 2024, "Adding error bars to evals", appendix).
 * `cr1`: sum of squared cluster totals with the finite-cluster factor C / (C - 1) (Liang and Zeger 1986; the usual "clustered" error).
 */
export type ClusterVariant = 'miller' | 'cr1';

export interface ClusteredError {
  readonly mean: number | null;
  readonly n: number;
  readonly clusters: number;
  readonly variant: ClusterVariant;
  readonly standardError: number | null;
  /** Why there is no standard error, or null. */
  readonly reason: string | null;
}

/** Numbers 0, 1, 2... for cluster names in order of appearance. */
export function numberClusters(names: readonly (string | number)[]): { readonly index: Uint32Array; readonly clusters: number } {
  const known = new Map<string | number, number>();
  const index = new Uint32Array(names.length);
  for (let item = 0; item < names.length; item++) {
    const name = names[item]!;
    let number = known.get(name);
    if (number === undefined) known.set(name, (number = known.size));
    index[item] = number;
  }
  return { index, clusters: known.size };
}

/** Standard error of a mean over clustered items; null with a reason for fewer than two clusters. */
export function clusteredStandardError(
  scores: ArrayLike<number>,
  clusterOf: ArrayLike<number>,
  options: { readonly variant?: ClusterVariant | undefined } = {},
): ClusteredError {
  const variant = options.variant ?? 'cr1';
  const n = scores.length;
  const centre = n === 0 ? 0 : sum(scores) / n;
  let clusters = 0;
  for (let item = 0; item < n; item++) clusters = Math.max(clusters, clusterOf[item]! + 1);
  const totals = new Float64Array(clusters);
  for (let item = 0; item < n; item++) totals[clusterOf[item]!]! += scores[item]! - centre;
  const shared = { mean: n === 0 ? null : centre, n, clusters, variant };
  if (clusters < 2) return { ...shared, standardError: null, reason: n === 0 ? 'no items' : 'one cluster' };
  const between = squaredDeviations(totals, 0);
  if (variant === 'cr1') return { ...shared, standardError: Math.sqrt((between * clusters) / (clusters - 1)) / n, reason: null };
  const within = squaredDeviations(scores, centre);
  const variance = within / (n - 1) / n + (between - within) / (n * n);
  return { ...shared, standardError: Math.sqrt(Math.max(0, variance)), reason: null };
}

/** t interval of a clustered mean with C - 1 degrees of freedom, or null where there is no standard error. */
export function clusteredInterval(error: ClusteredError, level = 0.95): Interval | null {
  if (error.mean === null || error.standardError === null) return null;
  return tInterval({ estimate: error.mean, standardError: error.standardError, df: error.clusters - 1, level, method: 'clustered-t' });
}
