// Seeded bootstrap intervals: n draws with replacement, percentile or BCa, for means, any statistic, and tables of counts.
import type { Interval } from '../core/metric.ts';
import { sampleMultinomial } from './binomial-sample.ts';
import { normalCdf, normalQuantile } from './distributions.ts';
import { mean, standardDeviation } from './moments.ts';
import { quantile } from './quantile.ts';
import { createRandom } from './random.ts';

export type BootstrapMethod = 'percentile' | 'bca';

export interface BootstrapOptions {
  readonly seed: number;
  /** @default 10000 */
  readonly resamples?: number | undefined;
  /** @default 0.95 */
  readonly level?: number | undefined;
  /** @default 'percentile' */
  readonly method?: BootstrapMethod | undefined;
}

export interface BootstrapResult {
  readonly estimate: number | null;
  readonly interval: Interval | null;
  /** Standard deviation of the resampled statistics. */
  readonly standardError: number | null;
  /** True where every resample gives the same value, so that the interval says nothing about precision. */
  readonly degenerate: boolean;
  readonly resamples: number;
  readonly seed: number;
}

/** Resampled means of `values`, `resamples` of them, unsorted. The hot loop of the room. */
function resampledMeans(values: Float64Array, resamples: number, seed: number): Float64Array {
  const random = createRandom(seed, 'bootstrap');
  const n = values.length;
  const scale = n / 4294967296;
  const result = new Float64Array(resamples);
  const draw = random.uint32;
  for (let index = 0; index < resamples; index++) {
    let total = 0;
    for (let item = 0; item < n; item++) total += values[(draw() * scale) | 0]!;
    result[index] = total / n;
  }
  return result;
}

/** Acceleration of BCa from jackknife values (Efron 1987, section 6). */
function acceleration(jackknife: Float64Array): number {
  const centre = mean(jackknife)!;
  let squares = 0;
  let cubes = 0;
  for (const value of jackknife) {
    const deviation = centre - value;
    squares += deviation * deviation;
    cubes += deviation * deviation * deviation;
  }
  return squares === 0 ? 0 : cubes / (6 * squares ** 1.5);
}

/** Lower and upper probability of the BCa interval (Efron 1987; ties counted half). */
function correctedTails(sorted: Float64Array, estimate: number, accelerated: number, level: number): readonly [number, number] {
  let below = 0;
  for (const value of sorted) below += value < estimate ? 1 : value === estimate ? 0.5 : 0;
  const bias = normalQuantile(Math.min(1 - 1e-9, Math.max(1e-9, below / sorted.length)));
  const tail = (1 - level) / 2;
  const corrected = (z: number): number => normalCdf(bias + (bias + z) / (1 - accelerated * (bias + z)));
  return [corrected(normalQuantile(tail)), corrected(normalQuantile(1 - tail))];
}

function fromSamples(samples: Float64Array, estimate: number, options: BootstrapOptions, jackknife: () => Float64Array): BootstrapResult {
  const level = options.level ?? 0.95;
  const sorted = samples.filter(Number.isFinite).sort();
  const bounds = sorted.length === 0 ? null : sorted[0] === sorted[sorted.length - 1];
  let interval: Interval | null = null;
  if (bounds !== null) {
    const bca = options.method === 'bca' && !bounds;
    const tail = (1 - level) / 2;
    const [low, high] = bca ? correctedTails(sorted, estimate, acceleration(jackknife()), level) : [tail, 1 - tail];
    const method = options.method === 'bca' ? 'bootstrap-bca' : 'bootstrap-percentile';
    interval = { low: quantile(sorted, low)!, high: quantile(sorted, high)!, level, method };
  }
  return {
    estimate,
    interval,
    standardError: standardDeviation(sorted),
    degenerate: bounds ?? true,
    resamples: samples.length,
    seed: options.seed,
  };
}

function nothing(options: BootstrapOptions): BootstrapResult {
  return { estimate: null, interval: null, standardError: null, degenerate: true, resamples: 0, seed: options.seed };
}

/** Bootstrap of a mean (Efron 1979): 10,000 resamples of 1,000 values take a fraction of a second. */
export function bootstrapMean(values: ArrayLike<number>, options: BootstrapOptions): BootstrapResult {
  const list = Float64Array.from(values);
  const n = list.length;
  const estimate = mean(list);
  if (estimate === null) return nothing(options);
  const samples = resampledMeans(list, options.resamples ?? 10_000, options.seed);
  const total = estimate * n;
  return fromSamples(samples, estimate, options, () => list.map((value) => (n < 2 ? estimate : (total - value) / (n - 1))));
}

/**
 * Bootstrap of any statistic of `size` items. `statistic` gets the drawn item numbers (the array is reused between calls).
 * @example bootstrap({ size: x.length, statistic: (items) => median(items.map((i) => x[i])) }, { seed: 1 })
 */
export function bootstrap(
  task: { readonly size: number; readonly statistic: (items: Uint32Array) => number },
  options: BootstrapOptions,
): BootstrapResult {
  if (task.size === 0) return nothing(options);
  const random = createRandom(options.seed, 'bootstrap');
  const resamples = options.resamples ?? 10_000;
  const samples = new Float64Array(resamples);
  const items = new Uint32Array(task.size);
  for (let index = 0; index < resamples; index++) {
    for (let place = 0; place < items.length; place++) items[place] = random.below(task.size);
    samples[index] = task.statistic(items);
  }
  const everything = Uint32Array.from({ length: task.size }, (_, index) => index);
  const leaveOneOut = (): Float64Array =>
    Float64Array.from({ length: task.size }, (_, index) => task.statistic(everything.filter((item) => item !== index)));
  return fromSamples(samples, task.statistic(everything), options, leaveOneOut);
}

export interface CountsBootstrapTask {
  /** Items per cell (a flattened confusion matrix, say). */
  readonly counts: ArrayLike<number>;
  /** How many statistics `statistics` writes. */
  readonly width: number;
  /** Writes the statistics of a table of counts. Non-finite values are left out of the interval. */
  readonly statistics: (counts: Float64Array, into: Float64Array) => void;
}

/** Percentile bootstrap of several statistics of a table of counts: one multinomial draw a resample, whatever the number of rows. */
export function bootstrapCounts(task: CountsBootstrapTask, options: Omit<BootstrapOptions, 'method'>): readonly BootstrapResult[] {
  const counts = Float64Array.from(task.counts);
  const total = counts.reduce((left, right) => left + right, 0);
  const random = createRandom(options.seed, 'bootstrap-counts');
  const drawn = new Float64Array(counts.length);
  const resample = (): Float64Array => {
    sampleMultinomial(counts, total, random, drawn);
    return drawn;
  };
  return bootstrapTables({ ...task, total, resample, observed: counts }, options);
}

/** Percentile bootstrap where the caller draws the resampled table itself (clusters, strata). */
export function bootstrapTables(
  task: Omit<CountsBootstrapTask, 'counts'> & {
    readonly total: number;
    readonly observed: Float64Array;
    readonly resample: () => Float64Array;
  },
  options: Omit<BootstrapOptions, 'method'>,
): readonly BootstrapResult[] {
  if (task.total === 0) return Array.from({ length: task.width }, () => nothing(options));
  const resamples = options.resamples ?? 2000;
  const out = new Float64Array(task.width);
  const samples = Array.from({ length: task.width }, () => new Float64Array(resamples));
  for (let index = 0; index < resamples; index++) {
    task.statistics(task.resample(), out);
    for (let column = 0; column < task.width; column++) samples[column]![index] = out[column]!;
  }
  task.statistics(task.observed, out);
  return samples.map((column, index) => fromSamples(column, out[index]!, options, () => column));
}
