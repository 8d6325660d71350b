// Filters, counts and pages the list of runs; the same for the live server and the exported site.
import type { Facet, RunRow } from './viewer-contract.ts';

export interface RunFilter {
  readonly text?: string | undefined;
  readonly state?: string | undefined;
  readonly model?: string | undefined;
  readonly task?: string | undefined;
  readonly tag?: string | undefined;
  readonly sort?: 'newest' | 'oldest' | 'name' | undefined;
}
type FilterKey = 'state' | 'model' | 'task' | 'tag';
const valuesOf: Readonly<Record<FilterKey, (row: RunRow) => readonly string[]>> = {
  state: (row) => [row.state],
  model: (row) => row.models,
  task: (row) => row.tasks,
  tag: (row) => row.tags,
};
const filterKeys: readonly FilterKey[] = ['state', 'model', 'task', 'tag'];

function matches(row: RunRow, filter: RunFilter, words: readonly string[], except: FilterKey | null): boolean {
  for (const key of filterKeys) {
    const wanted = filter[key];
    if (key !== except && wanted !== undefined && !valuesOf[key](row).includes(wanted)) return false;
  }
  if (words.length === 0) return true;
  const haystack = [row.name, row.id, ...row.models, ...row.tasks, ...row.tags].join(' ').toLowerCase();
  return words.every((word) => haystack.includes(word));
}

/** Values with their counts, the most frequent first. */
export function countFacet(values: Iterable<string>): Facet[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function order(sort: RunFilter['sort']): (a: RunRow, b: RunRow) => number {
  if (sort === 'name') return (a, b) => a.name.localeCompare(b.name, 'en') || (a.id < b.id ? 1 : -1);
  const sign = sort === 'oldest' ? 1 : -1;
  return (a, b) => sign * (a.created < b.created ? -1 : a.created > b.created ? 1 : a.id < b.id ? -1 : 1);
}

export interface FilteredRuns {
  readonly rows: readonly RunRow[];
  /** Each facet counts what the other filters leave, so that every choice shows what it would give. */
  readonly facets: Readonly<Record<FilterKey, readonly Facet[]>>;
}

export function filterRuns(rows: readonly RunRow[], filter: RunFilter): FilteredRuns {
  const words = (filter.text ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const facet = (key: FilterKey): Facet[] =>
    countFacet(rows.filter((row) => matches(row, filter, words, key)).flatMap((row) => [...new Set(valuesOf[key](row))]));
  return {
    rows: rows.filter((row) => matches(row, filter, words, null)).sort(order(filter.sort)),
    facets: { state: facet('state'), model: facet('model'), task: facet('task'), tag: facet('tag') },
  };
}
