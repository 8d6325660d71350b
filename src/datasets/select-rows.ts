// Which rows of a split are evaluated: all, a seeded sample (-n), or the first ones (--limit, a smoke run).
import { hash } from 'node:crypto';
import type { Row } from '../core/dataset.ts';

export interface RowSelection {
  readonly rows: readonly Row[];
  readonly selection: 'all' | 'sample' | 'prefix';
}

export interface SelectionRule {
  /** Size of a seeded sample. */
  readonly sample?: number | undefined;
  /** Size of a prefix. Wins over `sample`, being the smaller promise. */
  readonly limit?: number | undefined;
  /** @default 42 */
  readonly seed?: number | undefined;
}

/**
 * A sample holds the rows whose sha256(seed, id) is smallest, in the order of the data. So it depends on the content only, not on
 * the order of rows, and a larger sample of the same seed contains the smaller one: growing `-n` reuses every answer.
 */
export function selectRows(rows: readonly Row[], rule: SelectionRule): RowSelection {
  if (rule.limit !== undefined)
    return rule.limit >= rows.length ? { rows, selection: 'prefix' } : { rows: rows.slice(0, rule.limit), selection: 'prefix' };
  if (rule.sample === undefined || rule.sample >= rows.length) return { rows, selection: 'all' };
  const seed = rule.seed ?? 42;
  const ranked = rows.map((row) => ({ row, rank: hash('sha256', `sample:${seed}:${row.id}`) })).sort((a, b) => (a.rank < b.rank ? -1 : 1));
  const chosen = new Set(ranked.slice(0, rule.sample).map(({ row }) => row));
  return { rows: rows.filter((row) => chosen.has(row)), selection: 'sample' };
}
