// The mean of a per-row score with the right error bar: repeats of an item are averaged first, items in one cluster are not independent.
import type { Interval } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { clusteredStandardError } from '../stats/clustered.ts';
import { standardErrorOfMean, sum, tInterval } from '../stats/moments.ts';
import { effectiveWilsonInterval, wilsonInterval } from '../stats/proportion.ts';

/**
 * `proportion`: scores count successes, parts of one for ties (Wilson). `bounded`: degrees from 0 to 1 (Wilson with the effective sample size;
 * t where a score lies outside). `mean`: any number (t). Equal scores never give an interval of width 0: Wilson stays open, t gives none.
 */
export type MeanScale = 'proportion' | 'bounded' | 'mean';

export interface ItemMeanSummary {
  readonly value: number | null;
  /** Items (distinct ids), not rows. */
  readonly n: number;
  readonly clusters: number;
  readonly standardError: number | null;
  readonly interval: Interval | null;
}

export interface ItemMeans {
  readonly add: (row: Pick<PredictionRow, 'id' | 'cluster'>, score: number) => void;
  /** One score per item, in order of appearance. */
  readonly scores: () => Float64Array;
  readonly summary: (scale: MeanScale, level?: number) => ItemMeanSummary;
}

/** Collects scores by item id; rows with the same id are repeats of one item. */
export function createItemMeans(): ItemMeans {
  const itemOf = new Map<string, number>();
  const totals: number[] = [];
  const counts: number[] = [];
  const clusterNames = new Map<string, number>();
  const clusterOf: number[] = [];
  let clusters = 0;
  let repeated = false;

  const add: ItemMeans['add'] = (row, score) => {
    const known = itemOf.get(row.id);
    if (known !== undefined) {
      totals[known]! += score;
      counts[known]!++;
      repeated = true;
      return;
    }
    itemOf.set(row.id, totals.length);
    totals.push(score);
    counts.push(1);
    const cluster = row.cluster === undefined ? undefined : clusterNames.get(row.cluster);
    if (row.cluster !== undefined && cluster === undefined) clusterNames.set(row.cluster, clusters);
    clusterOf.push(cluster ?? clusters++);
  };
  const scores = (): Float64Array => Float64Array.from(totals, (total, item) => total / counts[item]!);
  return {
    add,
    scores,
    summary: (scale, level) => summarizeMeans({ scores: scores(), clusterOf, clusters, repeated, scale, level: level ?? 0.95 }),
  };
}

function summarizeMeans(facts: {
  readonly scores: Float64Array;
  readonly clusterOf: readonly number[];
  readonly clusters: number;
  readonly repeated: boolean;
  readonly scale: MeanScale;
  readonly level: number;
}): ItemMeanSummary {
  const { scores, clusters, scale, level } = facts;
  const n = scores.length;
  if (n === 0) return { value: null, n, clusters, standardError: null, interval: null };
  const value = sum(scores) / n;
  const clustered = clusters < n;
  const standardError = clustered ? clusteredStandardError(scores, facts.clusterOf).standardError : standardErrorOfMean(scores);
  const shared = { value, n, clusters, standardError };
  const plain = !clustered && !facts.repeated;
  if (plain && (scale === 'proportion' || (scale === 'bounded' && scores.every((score) => score === 0 || score === 1)))) {
    return { ...shared, interval: wilsonInterval({ successes: value * n, n, level }) };
  }
  if (standardError === null) return { ...shared, interval: null };
  if (scale === 'mean' || scores.some((score) => score < 0 || score > 1)) {
    const method = clustered ? 'clustered-t' : 't';
    const interval = standardError === 0 ? null : tInterval({ estimate: value, standardError, df: clusters - 1, level, method });
    return { ...shared, interval };
  }
  const method = plain ? 'effective-wilson' : 'clustered-wilson';
  return {
    ...shared,
    interval: effectiveWilsonInterval({ share: value, standardError, floor: clusters, df: clusters - 1, level, method }),
  };
}
