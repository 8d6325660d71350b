// Rows that stand, exactly or nearly, in more than one split: what inflates held-out scores.
import type { Row } from '../core/dataset.ts';
import { bandsOf, jaccard, minHash, shinglesOf } from './near-duplicates.ts';
import { normaliseText } from './normalise-text.ts';

export interface LeakPair {
  readonly kind: 'exact' | 'near';
  readonly left: { readonly split: string; readonly id: string };
  readonly right: { readonly split: string; readonly id: string };
  /** Jaccard similarity of character shingles; 1 for exact. */
  readonly similarity: number;
}

export interface LeakReport {
  readonly pairs: readonly LeakPair[];
  readonly exact: number;
  readonly near: number;
  /** Ids by split that also stand in another split. */
  readonly leakedIds: Readonly<Record<string, readonly string[]>>;
  readonly nearThreshold: number;
}

export interface LeakOptions {
  /** Columns that hold the input; labels should not count. @default every text column */
  readonly columns?: readonly string[] | undefined;
  /** @default 0.8 */
  readonly nearThreshold?: number | undefined;
}

interface Entry {
  readonly split: string;
  readonly id: string;
  readonly text: string;
}

/**
 * Compares all splits with each other. Exact means equal after case, spaces and Unicode form are evened out. Near means that the
 * shared part of 5-character shingles passes the threshold; candidates come from MinHash bands (Broder 1997), each is then
 * computed exactly, so a reported similarity is never an estimate.
 */
export function leakReport(splits: Readonly<Record<string, readonly Row[]>>, options: LeakOptions = {}): LeakReport {
  const nearThreshold = options.nearThreshold ?? 0.8;
  const entries = Object.entries(splits).flatMap(([split, rows]) =>
    rows.map((row) => ({ split, id: row.id, text: inputText(row, options.columns) })),
  );
  const exact = exactPairs(entries);
  const near = nearPairs(entries, nearThreshold);
  const pairs = [...exact, ...near];
  const leaked = new Map<string, Set<string>>(Object.keys(splits).map((name) => [name, new Set()]));
  for (const pair of pairs) for (const side of [pair.left, pair.right]) leaked.get(side.split)!.add(side.id);
  return {
    pairs,
    exact: exact.length,
    near: near.length,
    leakedIds: Object.fromEntries([...leaked].map(([name, ids]) => [name, [...ids]])),
    nearThreshold,
  };
}

function inputText(row: Row, columns: readonly string[] | undefined): string {
  const chosen =
    columns ?? Object.keys(row.fields).filter((name) => typeof row.fields[name] === 'string' && !/^(label|id|category)$/i.test(name));
  return normaliseText(
    chosen.map((name) => (typeof row.fields[name] === 'string' ? row.fields[name] : JSON.stringify(row.fields[name] ?? ''))).join('\n'),
  );
}

/** One pair for each other split that holds the same text. */
function exactPairs(entries: readonly Entry[]): LeakPair[] {
  const first = new Map<string, Map<string, Entry>>();
  const pairs: LeakPair[] = [];
  for (const entry of entries) {
    const holders = first.get(entry.text) ?? new Map<string, Entry>();
    first.set(entry.text, holders);
    for (const [split, holder] of holders) if (split !== entry.split) pairs.push(pairOf('exact', holder, entry, 1));
    if (!holders.has(entry.split)) holders.set(entry.split, entry);
  }
  return pairs;
}

function nearPairs(entries: readonly Entry[], threshold: number): LeakPair[] {
  const shingles = entries.map((entry) => shinglesOf(entry.text));
  const buckets = new Map<string, number[]>();
  const compared = new Set<number>();
  const pairs: LeakPair[] = [];
  for (const [index, entry] of entries.entries()) {
    for (const band of bandsOf(minHash(shingles[index]!))) {
      const bucket = buckets.get(band) ?? [];
      buckets.set(band, bucket);
      for (const other of bucket) {
        const key = other * entries.length + index;
        if (entries[other]!.split === entry.split || entries[other]!.text === entry.text || compared.has(key)) continue;
        compared.add(key);
        const similarity = jaccard(shingles[other]!, shingles[index]!);
        if (similarity >= threshold) pairs.push(pairOf('near', entries[other]!, entry, similarity));
      }
      bucket.push(index);
    }
  }
  return pairs;
}

function pairOf(kind: LeakPair['kind'], left: Entry, right: Entry, similarity: number): LeakPair {
  return { kind, left: { split: left.split, id: left.id }, right: { split: right.split, id: right.id }, similarity };
}
