// Ratio of two medians (how much faster is B?) where measurements come in repetitions that are not independent.
import type { Interval } from '../core/metric.ts';
import { bootstrapTables } from './bootstrap.ts';
import { quantile } from './quantile.ts';
import { createRandom, type Random } from './random.ts';

export interface MedianRatio {
  /** median(b) / median(a). */
  readonly ratio: number | null;
  readonly interval: Interval | null;
}

function medianOfRuns(runs: readonly (readonly number[])[]): number | null {
  return quantile(Float64Array.from(runs.flat()).sort(), 0.5);
}

/** Draws whole runs; with a single run, its measurements. */
function redraw(runs: readonly (readonly number[])[], random: Random): readonly (readonly number[])[] {
  if (runs.length > 1) return runs.map(() => runs[random.below(runs.length)]!);
  return runs.map((run) => run.map(() => run[random.below(run.length)]!));
}

/**
 * Ratio of medians with a percentile bootstrap over runs (repetitions) as clusters. One list per run; a single run is resampled by measurement,
 * which understates the spread between runs.
 */
export function medianRatio(
  a: readonly (readonly number[])[],
  b: readonly (readonly number[])[],
  options: { readonly seed: number; readonly resamples?: number | undefined; readonly level?: number | undefined },
): MedianRatio {
  const first = medianOfRuns(a);
  const second = medianOfRuns(b);
  if (first === null || second === null || first === 0) return { ratio: null, interval: null };
  const random = createRandom(options.seed, 'median-ratio');
  const current = new Float64Array(1);
  const resample = (): Float64Array => {
    const divisor = medianOfRuns(redraw(a, random));
    const dividend = medianOfRuns(redraw(b, random));
    current[0] = divisor === null || dividend === null || divisor === 0 ? Number.NaN : dividend / divisor;
    return current;
  };
  const statistics = (table: Float64Array, into: Float64Array): void => {
    into[0] = table[0]!;
  };
  const observed = Float64Array.of(second / first);
  const [result] = bootstrapTables(
    { width: 1, total: 1, observed, resample, statistics },
    { ...options, resamples: options.resamples ?? 2000 },
  );
  return { ratio: second / first, interval: result!.degenerate ? null : result!.interval };
}
