// One definition of all splits of a dataset: disjoint at any sizes, class shares kept, copies of a row on one side only.
import { hash } from 'node:crypto';
import type { Row } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import { apportion } from './apportion.ts';
import { groupByColumn } from './balance-rows.ts';
import { manifestOf } from './make-split.ts';
import { normalisedKey } from './normalise-text.ts';

export interface SplitRule {
  /** Rows (whole number), share of all rows (between 0 and 1), or `rest`; in the order of the splits. */
  readonly sizes: Readonly<Record<string, number | 'rest'>>;
  /** Column whose values keep their shares; without it rows are split at random. */
  readonly by?: string | undefined;
  readonly seed: number;
  /** Columns that make two rows copies of each other (case and spaces aside). @default all but `by` */
  readonly sameBy?: readonly string[] | undefined;
}

export interface SplitManifest {
  readonly schema: 'slmbench/split/1';
  readonly seed: number;
  readonly by: string | null;
  readonly splits: Readonly<
    Record<string, { readonly ids: readonly string[]; readonly manifest: string; readonly classCounts: Readonly<Record<string, number>> }>
  >;
}

export interface StratifiedSplit {
  readonly splits: Readonly<Record<string, readonly Row[]>>;
  readonly manifest: SplitManifest;
  readonly notes: readonly string[];
}

/**
 * Splits rows. Held-out splits together get their class shares first, then share these among themselves, so that class counts
 * are those of splitting off one holdout and dividing it.
 * @throws ToolError `data` when sizes pass the data, a share rounds to no row, or copies make the sizes impossible
 */
export function stratifiedSplit(rows: readonly Row[], rule: SplitRule): StratifiedSplit {
  const sizes = resolveSizes(rule.sizes, rows.length);
  const clusters = clusterCopies(rows, rule);
  const quotas = classQuotas(rows, rule, sizes);
  const { places, notes } = placeClusters(clusters, quotas, sizes);
  const names = Object.keys(rule.sizes);
  const splits = Object.fromEntries(names.map((name) => [name, rows.filter((row) => places.get(row) === name)]));
  const described = names.map((name) => {
    const ids = splits[name]!.map((row) => row.id);
    return [name, { ids, manifest: manifestOf(ids), classCounts: classCounts(splits[name]!, rule.by) }] as const;
  });
  return {
    splits,
    manifest: { schema: 'slmbench/split/1', seed: rule.seed, by: rule.by ?? null, splits: Object.fromEntries(described) },
    notes,
  };
}

function resolveSizes(sizes: SplitRule['sizes'], total: number): Map<string, number> {
  const resolved = new Map<string, number>();
  const rest = Object.entries(sizes).filter(([, size]) => size === 'rest');
  if (rest.length > 1) throw new ToolError('config', 'only one split can be the rest');
  for (const [name, size] of Object.entries(sizes)) {
    if (size === 'rest') continue;
    const isShare = size > 0 && size < 1;
    if (!isShare && !(Number.isInteger(size) && size > 0))
      throw new ToolError('config', `split ${name}: ${size} is no size: give rows, a share between 0 and 1, or rest`);
    const count = isShare ? Math.round(size * total) : size;
    if (count === 0)
      throw new ToolError('data', `split ${name}: ${size} of ${total} rows is no row`, { hint: 'too few rows for this share' });
    resolved.set(name, count);
  }
  const used = [...resolved.values()].reduce((sum, size) => sum + size, 0);
  if (used > total || (rest.length === 1 && used === total)) {
    throw new ToolError('data', `the splits need ${used} rows${rest.length === 1 ? ' and at least one more' : ''}, the data has ${total}`);
  }
  if (rest.length === 1) resolved.set(rest[0]![0], total - used);
  return resolved;
}

interface Cluster {
  readonly rows: readonly Row[];
  readonly label: string;
  readonly rank: string;
}

/** Copies move together; the order of clusters depends on seed and content, not on the order of the data. */
function clusterCopies(rows: readonly Row[], rule: SplitRule): Cluster[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const columns =
      rule.sameBy ??
      Object.keys(row.fields)
        .filter((name) => name !== rule.by)
        .sort();
    const key = normalisedKey(columns.map((name) => row.fields[name] ?? null));
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const clusters = [...groups].map(([key, members]) => ({
    rows: members,
    label: labelOf(members[0]!, rule.by),
    rank: hash('sha256', `split:${rule.seed}:${key}`),
  }));
  return clusters.sort((a, b) => b.rows.length - a.rows.length || (a.rank < b.rank ? -1 : 1));
}

function labelOf(row: Row, by: string | undefined): string {
  return by === undefined ? '' : [...groupByColumn([row], by).keys()][0]!;
}

type Quotas = ReadonlyMap<string, Map<string, number>>;

/** Rows by split and class. The largest split is what remains of each class. */
function classQuotas(rows: readonly Row[], rule: SplitRule, sizes: ReadonlyMap<string, number>): Quotas {
  const groups = rule.by === undefined ? new Map([['', [...rows]]]) : groupByColumn(rows, rule.by);
  const labels = [...groups.keys()];
  const all = labels.map((label) => groups.get(label)!.length);
  const bySize = [...sizes].sort((a, b) => a[1] - b[1]);
  const largest = bySize.at(-1)!;
  const coversAll = bySize.reduce((sum, [, size]) => sum + size, 0) === rows.length;
  const heldOut = [...sizes].filter(([name]) => name !== largest[0] || !coversAll);
  const quotas = new Map<string, Map<string, number>>();
  let pool = apportion(
    all,
    heldOut.reduce((sum, [, size]) => sum + size, 0),
  );
  const remaining = all.map((count, index) => count - pool[index]!);
  for (const [name, size] of [...heldOut].reverse()) {
    const seats = apportion(pool, size);
    quotas.set(name, new Map(labels.map((label, index) => [label, seats[index]!])));
    pool = pool.map((count, index) => count - seats[index]!);
  }
  if (coversAll) quotas.set(largest[0], new Map(labels.map((label, index) => [label, remaining[index]!])));
  return quotas;
}

function placeClusters(clusters: readonly Cluster[], quotas: Quotas, sizes: ReadonlyMap<string, number>) {
  const places = new Map<Row, string>();
  const left = new Map(sizes);
  const notes: string[] = [];
  const put = (cluster: Cluster, name: string) => {
    for (const row of cluster.rows) places.set(row, name);
    left.set(name, left.get(name)! - cluster.rows.length);
    quotas.get(name)!.set(cluster.label, (quotas.get(name)!.get(cluster.label) ?? 0) - cluster.rows.length);
  };
  const homeless: Cluster[] = [];
  for (const cluster of clusters) {
    const fitting = [...quotas].find(
      ([name, quota]) => (quota.get(cluster.label) ?? 0) >= cluster.rows.length && left.get(name)! >= cluster.rows.length,
    );
    if (fitting === undefined) homeless.push(cluster);
    else put(cluster, fitting[0]);
  }
  // Copies can make exact class counts impossible; sizes still hold.
  for (const cluster of homeless) {
    const roomy = [...left].filter(([, room]) => room >= cluster.rows.length).sort((a, b) => b[1] - a[1])[0];
    if (roomy !== undefined) put(cluster, roomy[0]);
  }
  const short = [...left].filter(([, room]) => room > 0);
  if (short.length > 0) {
    throw new ToolError(
      'data',
      `copies of rows make the split sizes impossible: ${short.map(([name, room]) => `${name} lacks ${room}`).join(', ')}`,
      { hint: 'dedupe first, or change the sizes' },
    );
  }
  const copies = clusters.filter((cluster) => cluster.rows.length > 1);
  if (copies.length > 0) notes.push(`${copies.length} texts stand more than once; all copies of each are in one split`);
  return { places, notes };
}

function classCounts(rows: readonly Row[], by: string | undefined): Record<string, number> {
  if (by === undefined) return {};
  const counts = [...groupByColumn(rows, by)].map(([label, group]) => [label, group.length] as const);
  return Object.fromEntries(counts.sort(([a], [b]) => (a < b ? -1 : 1)));
}
