// Equal class sizes, by repeating rows of small classes or leaving out rows of large ones.
import type { Row } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { createRandom, shuffled } from '../stats/random.ts';

export interface BalanceRule {
  readonly by: string;
  readonly method: 'oversample' | 'undersample';
  readonly seed: number;
}

/** Rows by the text of a column, classes in order of appearance. @throws ToolError `data` for a row without the column */
export function groupByColumn(rows: readonly Row[], column: string): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    if (!Object.hasOwn(row.fields, column)) {
      throw new ToolError('data', `row ${row.id} has no column "${column}"`, { hint: suggestName(column, Object.keys(row.fields)) });
    }
    const value = row.fields[column];
    const key = typeof value === 'string' ? value : JSON.stringify(value);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [row]);
    else group.push(row);
  }
  return groups;
}

/** Balanced rows in the order of the data, repeats behind all others. */
export function balanceRows(rows: readonly Row[], rule: BalanceRule): readonly Row[] {
  const groups = groupByColumn(rows, rule.by);
  const sizes = [...groups.values()].map((group) => group.length);
  const target = rule.method === 'oversample' ? Math.max(...sizes) : Math.min(...sizes);
  const kept = new Set<Row>();
  const repeats: Row[] = [];
  for (const [label, group] of groups) {
    const random = createRandom(rule.seed, `balance:${label}`);
    for (const row of shuffled(group, random).slice(0, target)) kept.add(row);
    // Whole rounds in a fresh order each, so that no row is repeated twice before all were repeated once.
    for (let round = 2, missing = target - group.length; missing > 0; round++, missing -= group.length) {
      for (const row of shuffled(group, random).slice(0, missing)) repeats.push({ id: `${row.id}+${round}`, fields: row.fields });
    }
  }
  return [...rows.filter((row) => kept.has(row)), ...repeats];
}
