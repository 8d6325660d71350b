// Which samples a filter leaves, in which order, from the columns alone.
import { countFacet } from './filter-runs.ts';
import { missingRow, outcomeOf, rowInvalid, rowScored, type SampleColumns, type SampleGroup } from './sample-columns.ts';
import type { Facet, SampleQuery } from './viewer-contract.ts';

export type SampleFilter = Omit<SampleQuery, 'offset' | 'limit' | 'text'>;

/** Right and wrong are opposite; an invalid answer is wrong. Anything else is not a flip. */
function sideOf(columns: SampleColumns, slot: number): 1 | 0 | null {
  const code = columns.outcome[slot];
  if (code === rowInvalid) return 0;
  if (code !== rowScored) return null;
  const score = columns.score[slot]!;
  return score === 1 ? 1 : score === 0 ? 0 : null;
}

function isFlip(columns: SampleColumns, slot: number, group: SampleGroup, other: SampleGroup | undefined): boolean {
  if (other === undefined) return false;
  const left = sideOf(columns, slot);
  const right = sideOf(columns, other.start + (slot - group.start));
  return left !== null && right !== null && left !== right;
}

function groupsOf(columns: SampleColumns, filter: SampleFilter): readonly SampleGroup[] {
  return columns.groups.filter(
    (group) => (filter.model === undefined || group.model === filter.model) && (filter.task === undefined || group.task === filter.task),
  );
}

function sortSlots(slots: number[], columns: SampleColumns, sort: SampleFilter['sort']): number[] {
  if (sort === undefined || sort === 'plan') return slots;
  const values = sort === 'lowest' ? columns.score : columns.totalMs;
  const sign = sort === 'slowest' ? -1 : 1;
  // Rows without the value come last whatever the direction; equal ones keep plan order.
  const rank = (slot: number): number => (Number.isNaN(values[slot]!) ? Number.POSITIVE_INFINITY : sign * values[slot]!);
  return slots.sort((a, b) => {
    const left = rank(a);
    const right = rank(b);
    return left === right ? a - b : left - right;
  });
}

/** Slots that pass the filter, sorted. */
export function selectSamples(columns: SampleColumns, filter: SampleFilter): number[] {
  const category = filter.category === undefined ? null : columns.categories.indexOf(filter.category) + 1;
  const slots: number[] = [];
  for (const group of groupsOf(columns, filter)) {
    const other =
      filter.flip === undefined ? undefined : columns.groups.find((one) => one.task === group.task && one.model === filter.flip);
    for (let slot = group.start; slot < group.start + group.length; slot++) {
      if (columns.outcome[slot] === missingRow) continue;
      if (category !== null && (category === 0 || columns.category[slot] !== category)) continue;
      if (filter.outcome !== undefined && outcomeOf(columns, slot) !== filter.outcome) continue;
      if (filter.flip !== undefined && !isFlip(columns, slot, group, other)) continue;
      slots.push(slot);
    }
  }
  return sortSlots(slots, columns, filter.sort);
}

/** What could be chosen next, with counts: models and tasks of the whole run, outcomes and categories of the chosen ones. */
export function sampleFacets(
  columns: SampleColumns,
  filter: SampleFilter,
): Readonly<Record<'model' | 'task' | 'outcome' | 'category', readonly Facet[]>> {
  const sum = (key: 'model' | 'task'): Facet[] => {
    const counts = new Map<string, number>();
    for (const group of columns.groups) {
      let rows = 0;
      for (let slot = group.start; slot < group.start + group.length; slot++) if (columns.outcome[slot] !== missingRow) rows++;
      counts.set(group[key], (counts.get(group[key]) ?? 0) + rows);
    }
    return [...counts].map(([value, count]) => ({ value, count }));
  };
  const without = (key: 'outcome' | 'category'): number[] => selectSamples(columns, { ...filter, [key]: undefined, sort: undefined });
  return {
    model: sum('model'),
    task: sum('task'),
    outcome: countFacet(without('outcome').map((slot) => outcomeOf(columns, slot)!)),
    category: countFacet(without('category').flatMap((slot) => columns.categories[columns.category[slot]! - 1] ?? [])),
  };
}
