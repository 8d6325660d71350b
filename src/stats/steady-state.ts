// Where a series of measurements is level: steps are found by rank tests, the longest stretch between them is the steady state.
import { normalTwoSidedP } from './distributions.ts';
import { quantile } from './quantile.ts';
import { midranks } from './ranks.ts';

export interface SeriesStep {
  /** First value after the step. */
  readonly index: number;
  /** Median after / median before. */
  readonly ratio: number;
  readonly p: number;
}

export interface SteadyState {
  /** Steady values are `[from, to)`. */
  readonly from: number;
  readonly to: number;
  readonly steps: readonly SeriesStep[];
}

export interface SteadyStateOptions {
  /** Significance that a step needs. @default 0.01 */
  readonly alpha?: number | undefined;
  /** Steps whose medians differ by less than this share are left alone. @default 0.1 */
  readonly smallestStep?: number | undefined;
  /** No stretch is cut shorter than this. @default 5 */
  readonly shortest?: number | undefined;
}

function medianOf(values: readonly number[]): number {
  return quantile(Float64Array.from(values).sort(), 0.5)!;
}

/**
 * The cut with the largest standardised rank sum. Unlike the plain maximum of Pettitt's test it also finds steps near the ends;
 * its p is the normal one times the number of cuts tried.
 */
function strongestCut(values: readonly number[], shortest: number): { readonly index: number; readonly p: number } | null {
  const n = values.length;
  const { ranks } = midranks(values);
  let running = 0;
  let best = { index: 0, z: 0 };
  for (let index = 1; index <= n - shortest; index++) {
    running += ranks[index - 1]!;
    if (index < shortest) continue;
    const spread = Math.sqrt((index * (n - index) * (n + 1)) / 12);
    const z = Math.abs(running - (index * (n + 1)) / 2) / spread;
    if (z > best.z) best = { index, z };
  }
  return best.index === 0 ? null : { index: best.index, p: Math.min(1, normalTwoSidedP(best.z) * n) };
}

function search(values: readonly number[], offset: number, options: Required<SteadyStateOptions>, into: SeriesStep[]): void {
  if (values.length < 2 * options.shortest!) return;
  const found = strongestCut(values, options.shortest!);
  if (found === null || found.p > options.alpha!) return;
  const before = medianOf(values.slice(0, found.index));
  const after = medianOf(values.slice(found.index));
  const ratio = before === 0 ? Number.POSITIVE_INFINITY : after / before;
  if (Math.abs(ratio - 1) < options.smallestStep!) return;
  search(values.slice(0, found.index), offset, options, into);
  into.push({ index: offset + found.index, ratio, p: found.p });
  search(values.slice(found.index), offset + found.index, options, into);
}

/** Binary segmentation (Scott and Knott 1974) by rank sums (after Pettitt 1979). Without steps the whole series is steady. */
export function findSteadyState(values: readonly number[], options: SteadyStateOptions = {}): SteadyState {
  const steps: SeriesStep[] = [];
  search(values, 0, { alpha: options.alpha ?? 0.01, smallestStep: options.smallestStep ?? 0.1, shortest: options.shortest ?? 5 }, steps);
  const borders = [0, ...steps.map((step) => step.index), values.length];
  let best = 0;
  for (let place = 1; place < borders.length - 1; place++) {
    if (borders[place + 1]! - borders[place]! >= borders[best + 1]! - borders[best]!) best = place;
  }
  return { from: borders[best]!, to: borders[best + 1]!, steps };
}
