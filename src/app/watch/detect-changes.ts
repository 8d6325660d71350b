// Alarms over a history: a worse answer sheet on the same items, or a level that has shifted; with a bound on false alarms.

import { unpairedShift } from '../../stats/hodges-lehmann.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { findChangePoint } from '../../stats/trend.ts';

export interface LevelShift {
  /** Median shift of the newest values against those before. */
  readonly shift: number;
  readonly relative: number;
  readonly p: number;
  /** Place of the step in the series, by Pettitt's test. */
  readonly index: number;
}

export interface ShiftOptions {
  /** Series that are watched together. */
  readonly series: number;
  /** Chance of any false alarm over all series and `looks` ticks. @default 0.05 */
  readonly alpha?: number | undefined;
  /** @default 100 */
  readonly looks?: number | undefined;
  /** Smaller relative shifts are of no interest. @default 0.05 */
  readonly smallest?: number | undefined;
}

/** The newest values that are compared with those before them. */
export const newestCount = 5;
const mostBefore = 30;
const fewestBefore = 12;

/**
 * Has the level of a series shifted? The newest five values against up to thirty before them (Mann and Whitney 1947). Every tick looks
 * again, so each look may err with alpha / (looks * series) only (Bonferroni over looks and series).
 */
export function findLevelShift(values: readonly number[], options: ShiftOptions): LevelShift | null {
  const newest = values.slice(-newestCount);
  const before = values.slice(0, -newestCount).slice(-mostBefore);
  if (newest.length < newestCount || before.length < fewestBefore) return null;
  const { p } = mannWhitney(before, newest);
  const limit = (options.alpha ?? 0.05) / ((options.looks ?? 100) * Math.max(1, options.series));
  if (p > limit) return null;
  const { shift } = unpairedShift(before, newest);
  const level = before.toSorted((a, b) => a - b)[Math.floor(before.length / 2)]!;
  if (shift === null || shift === 0) return null;
  const relative = level === 0 ? Number.POSITIVE_INFINITY * Math.sign(shift) : shift / Math.abs(level);
  if (Math.abs(relative) < (options.smallest ?? 0.05)) return null;
  // Located among the last values only: a rank test is drawn to the middle of what it is given.
  const window = values.slice(-(2 * newestCount + 2));
  const point = findChangePoint(window);
  return { shift, relative, p, index: values.length - window.length + (point?.index ?? window.length - newestCount) };
}
