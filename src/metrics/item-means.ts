// The mean of a per-row score with the right error bar: repeats of an item are averaged first, items in one cluster are not independent.
import type { Interval } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { clusteredStandardError } from '../stats/clustered.ts';
import { standardErrorOfMean, sum, tInterval } from '../stats/moments.ts';
import { effectiveWilsonInterval, wilsonInterval } from '../stats/proportion.ts';

/** `proportion`: scores in [0, 1] that count successes (Wilson). `mean`: any number (t). */
export type MeanScale = 'proportion' | 'mean';

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
  if (scale === 'proportion' && !clustered && !facts.repeated) {
    return { ...shared, interval: wilsonInterval({ successes: value * n, n, level }) };
  }
  if (standardError === null) return { ...shared, interval: null };
  if (scale === 'mean') {
    const method = clustered ? 'clustered-t' : 't';
    return { ...shared, interval: tInterval({ estimate: value, standardError, df: clusters - 1, level, method }) };
  }
  const bounds = { share: value, standardError, floor: clusters, df: clusters - 1, level, method: 'clustered-wilson' };
  return { ...shared, interval: effectiveWilsonInterval(bounds) };
}
