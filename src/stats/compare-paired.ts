// Two models on the same items: pair by id, test, give the size of the difference with its interval, and say in one word what it means.
import type { Interval } from '../core/metric.ts';
import { clusteredInterval, clusteredStandardError, numberClusters } from './clustered.ts';
import { type EquivalenceResult, equivalenceTest } from './equivalence.ts';
import { mcnemarExact, pairedProportionError, pairedProportionInterval } from './mcnemar.ts';
import { meanInterval, standardErrorOfMean, sum } from './moments.ts';
import { pairedPermutation } from './permutation.ts';
import { minimumDetectableDifference } from './power.ts';

export interface ScoredItem {
  readonly id: string;
  /** null (no score) leaves the item out. Repeats of an id are averaged first. */
  readonly score: number | null;
  readonly cluster?: string | undefined;
}

export interface PairedScores {
  readonly ids: readonly string[];
  readonly a: Float64Array;
  readonly b: Float64Array;
  /** Cluster number of each pair; every pair its own cluster where none is named. */
  readonly clusterOf: Uint32Array;
  readonly clusters: number;
  /** Items that only one side has. */
  readonly unshared: number;
}

interface ItemMean {
  total: number;
  count: number;
  cluster: string | undefined;
}

function meansById(items: Iterable<ScoredItem>): Map<string, ItemMean> {
  const means = new Map<string, ItemMean>();
  for (const { id, score, cluster } of items) {
    if (score === null || !Number.isFinite(score)) continue;
    const known = means.get(id);
    if (known === undefined) means.set(id, { total: score, count: 1, cluster });
    else {
      known.total += score;
      known.count++;
    }
  }
  return means;
}

/** Pairs items by id, never by row order. */
export function pairScores(a: Iterable<ScoredItem>, b: Iterable<ScoredItem>): PairedScores {
  const left = meansById(a);
  const right = meansById(b);
  const ids = [...left.keys()].filter((id) => right.has(id));
  const value = (from: Map<string, ItemMean>, id: string): number => from.get(id)!.total / from.get(id)!.count;
  // The prefixes keep an item id from being taken for a cluster name.
  const names = ids.map((id) => {
    const cluster = left.get(id)!.cluster;
    return cluster === undefined ? `item ${id}` : `cluster ${cluster}`;
  });
  const { index, clusters } = numberClusters(names);
  return {
    ids,
    a: Float64Array.from(ids, (id) => value(left, id)),
    b: Float64Array.from(ids, (id) => value(right, id)),
    clusterOf: index,
    clusters,
    unshared: left.size + right.size - 2 * ids.length,
  };
}

export type ComparisonVerdict = 'better' | 'worse' | 'equivalent' | 'no difference seen' | 'not enough data';

export interface PairedComparison {
  readonly n: number;
  readonly clusters: number;
  readonly unshared: number;
  readonly meanA: number | null;
  readonly meanB: number | null;
  /** meanB - meanA. */
  readonly difference: number | null;
  readonly interval: Interval | null;
  readonly standardError: number | null;
  readonly p: number | null;
  readonly test: 'mcnemar-exact' | 'paired-permutation' | 'cluster-permutation';
  /** Items that only one side has right (binary scores). */
  readonly onlyA: number | null;
  readonly onlyB: number | null;
  readonly equivalence: EquivalenceResult | null;
  /** Smallest difference that this many items show with 80 % power. */
  readonly minimumDetectable: number | null;
  /** Ids whose right/wrong differs, B right first, then A right. */
  readonly flips: { readonly gained: readonly string[]; readonly lost: readonly string[] };
}

export interface ComparePairedOptions {
  readonly seed: number;
  readonly level?: number | undefined;
  /** Differences smaller than this do not matter to the user; enables the equivalence test. */
  readonly margin?: number | undefined;
}

function isBinary(values: Float64Array): boolean {
  return values.every((value) => value === 0 || value === 1);
}

interface Spread {
  readonly standardError: number | null;
  readonly df: number;
  readonly interval: Interval | null;
}

/**
 * Spread of the mean difference. Differences that are all alike give no interval, because they say nothing about precision; right/wrong
 * scores keep one through the half items that Agresti and Min add.
 */
function spreadOf(pairs: PairedScores, differences: Float64Array, binary: boolean, level: number): Spread {
  const n = differences.length;
  if (pairs.clusters < n) {
    const error = clusteredStandardError(differences, pairs.clusterOf);
    const interval = error.standardError === 0 ? null : clusteredInterval(error, level);
    return { standardError: error.standardError, df: error.clusters - 1, interval };
  }
  if (!binary) {
    const standardError = standardErrorOfMean(differences);
    return { standardError, df: n - 1, interval: standardError === 0 ? null : meanInterval(differences, level) };
  }
  const onlyA = differences.filter((difference) => difference > 0).length;
  const onlyB = differences.filter((difference) => difference < 0).length;
  const interval = pairedProportionInterval({ onlyA, onlyB, n, level });
  return { standardError: n === 0 ? null : pairedProportionError({ onlyA, onlyB, n }), df: Infinity, interval };
}

function clusterTotals(pairs: PairedScores, differences: Float64Array): Float64Array {
  const totals = new Float64Array(pairs.clusters);
  for (let item = 0; item < differences.length; item++) totals[pairs.clusterOf[item]!]! += differences[item]!;
  return totals;
}

/**
 * Compares B with A. Right/wrong scores of independent items: exact McNemar and the Agresti-Min interval. Other scores: paired permutation and
 * t interval. Items in clusters: sign flips of cluster totals and the clustered t interval.
 */
export function comparePaired(pairs: PairedScores, options: ComparePairedOptions): PairedComparison {
  const n = pairs.ids.length;
  const level = options.level ?? 0.95;
  const differences = pairs.b.map((value, item) => value - pairs.a[item]!);
  const clustered = pairs.clusters < n;
  const binary = isBinary(pairs.a) && isBinary(pairs.b);
  const gained = pairs.ids.filter((_, item) => differences[item]! > 0);
  const lost = pairs.ids.filter((_, item) => differences[item]! < 0);
  const discordance = { onlyA: lost.length, onlyB: gained.length };
  const spread = spreadOf(pairs, differences, binary, level);
  const difference = n === 0 ? null : sum(differences) / n;
  const exact = binary && !clustered;
  const permuted = clustered ? clusterTotals(pairs, differences) : differences;
  const margin = options.margin;
  return {
    n,
    clusters: pairs.clusters,
    unshared: pairs.unshared,
    meanA: n === 0 ? null : sum(pairs.a) / n,
    meanB: n === 0 ? null : sum(pairs.b) / n,
    difference,
    interval: spread.interval,
    standardError: spread.standardError,
    p: n === 0 ? null : exact ? mcnemarExact(discordance).p : pairedPermutation(permuted, options).p,
    test: exact ? 'mcnemar-exact' : clustered ? 'cluster-permutation' : 'paired-permutation',
    onlyA: binary ? discordance.onlyA : null,
    onlyB: binary ? discordance.onlyB : null,
    equivalence:
      margin === undefined || difference === null || !spread.standardError || spread.df < 1
        ? null
        : equivalenceTest({ difference, standardError: spread.standardError, df: spread.df, margin, alpha: 1 - level }),
    minimumDetectable: detectable(spread.standardError, n),
    flips: binary ? { gained, lost } : { gained: [], lost: [] },
  };
}

function detectable(standardError: number | null, n: number): number | null {
  if (standardError === null || standardError === 0) return null;
  return minimumDetectableDifference({ kind: 'paired-means', sd: standardError * Math.sqrt(n) }, n);
}

/**
 * The comparison in words. `p` may be the Holm-adjusted one.
 * @param fewestItems below this number nothing is claimed. @default 10
 */
export function comparisonVerdict(facts: {
  readonly comparison: PairedComparison;
  readonly higherIsBetter: boolean;
  readonly p?: number | null | undefined;
  readonly alpha?: number | undefined;
  readonly fewestItems?: number | undefined;
}): ComparisonVerdict {
  const { comparison } = facts;
  const p = facts.p === undefined ? comparison.p : facts.p;
  if (comparison.n < (facts.fewestItems ?? 10) || comparison.difference === null || p === null) return 'not enough data';
  if (p <= (facts.alpha ?? 0.05) && comparison.difference !== 0)
    return comparison.difference > 0 === facts.higherIsBetter ? 'better' : 'worse';
  return comparison.equivalence?.equivalent === true ? 'equivalent' : 'no difference seen';
}
