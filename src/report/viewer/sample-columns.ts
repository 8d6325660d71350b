// A run's samples as columns, one place per planned sample: 100,000 of them take a few megabytes, and every filter but text
// search needs nothing else.
import type { PredictionRow } from '../../core/prediction.ts';
import type { SampleOutcome } from './viewer-contract.ts';

export interface SampleGroup {
  readonly model: string;
  readonly task: string;
  readonly start: number;
  readonly length: number;
  /** Item ids in plan order; a group holds them once per repeat. */
  readonly ids: readonly string[];
}

export interface SampleColumns {
  readonly groups: readonly SampleGroup[];
  readonly total: number;
  /** Code of the outcome, 0 where there is no row yet. */
  readonly outcome: Uint8Array;
  /** The row's own score of the primary metric; NaN where it has none. */
  readonly score: Float32Array;
  /** NaN where it was not measured. */
  readonly totalMs: Float32Array;
  /** 1 + index into `categories`, 0 for none. */
  readonly category: Uint16Array;
  readonly categories: string[];
}

export const missingRow = 0;
export const rowScored = 1;
export const rowInvalid = 2;
export const rowError = 3;
export const rowSkipped = 4;
const codes: Readonly<Record<PredictionRow['outcome']['kind'], number>> = {
  scored: rowScored,
  invalid: rowInvalid,
  error: rowError,
  skipped: rowSkipped,
};

export function emptyColumns(groups: readonly SampleGroup[]): SampleColumns {
  const total = groups.reduce((sum, group) => sum + group.length, 0);
  return {
    groups,
    total,
    outcome: new Uint8Array(total),
    score: new Float32Array(total).fill(Number.NaN),
    totalMs: new Float32Array(total).fill(Number.NaN),
    category: new Uint16Array(total),
    categories: [],
  };
}

/** Writes one row into its place; a later row of the same sample replaces the earlier one. */
export function setSample(
  columns: SampleColumns,
  slot: number,
  row: PredictionRow,
  score: number | null,
  places: Map<string, number>,
): void {
  columns.outcome[slot] = codes[row.outcome.kind];
  columns.score[slot] = score ?? Number.NaN;
  columns.totalMs[slot] = row.timing.totalMs ?? Number.NaN;
  columns.category[slot] = row.category === undefined ? 0 : placeOf(columns, row.category, places);
}

function placeOf(columns: SampleColumns, category: string, places: Map<string, number>): number {
  const known = places.get(category);
  if (known !== undefined) return known;
  // One more than two bytes can tell is not a category but an id: such rows stay without one.
  const place = columns.categories.length < 0xfffe ? columns.categories.push(category) : 0;
  places.set(category, place);
  return place;
}

export function outcomeOf(columns: SampleColumns, slot: number): SampleOutcome | null {
  const code = columns.outcome[slot];
  if (code === rowInvalid) return 'invalid';
  if (code === rowError) return 'error';
  if (code === rowSkipped) return 'skipped';
  if (code !== rowScored) return null;
  const score = columns.score[slot]!;
  if (score === 1) return 'right';
  if (score === 0) return 'wrong';
  return score > 0 && score < 1 ? 'partial' : 'scored';
}

export function groupOf(columns: SampleColumns, slot: number): SampleGroup {
  return columns.groups.find((group) => slot >= group.start && slot < group.start + group.length)!;
}
export function idOf(group: SampleGroup, slot: number): string {
  return group.ids[(slot - group.start) % group.ids.length]!;
}
export function repeatOf(group: SampleGroup, slot: number): number {
  return Math.floor((slot - group.start) / group.ids.length);
}
