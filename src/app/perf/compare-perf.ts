// Two performance runs side by side: paired by prompt where the prompts are the same, effect with interval, verdict in words.
import type { Interval } from '../../core/metric.ts';
import { equivalenceTest } from '../../stats/equivalence.ts';
import { pairedShift } from '../../stats/hodges-lehmann.ts';
import { holm } from '../../stats/holm.ts';
import { mannWhitney } from '../../stats/mann-whitney.ts';
import { medianRatio } from '../../stats/median-ratio.ts';
import { standardDeviation } from '../../stats/moments.ts';
import { minimumDetectableDifference, type PowerDesign, sampleSizeFor } from '../../stats/power.ts';
import { wilcoxonSignedRank } from '../../stats/wilcoxon.ts';

export type PerfVerdict = 'better' | 'worse' | 'equivalent' | 'no change seen' | 'not enough data';

/** Values of one metric: one list per repetition, each value with the digest of its prompt. */
export type MetricSeries = readonly (readonly { readonly prompt: string; readonly value: number }[])[];

export interface MetricComparison {
  readonly metric: string;
  readonly unit: string;
  readonly design: 'paired' | 'unpaired';
  readonly n: number;
  readonly medianA: number | null;
  readonly medianB: number | null;
  /** B / A. */
  readonly ratio: number | null;
  readonly interval: Interval | null;
  readonly p: number | null;
  readonly adjustedP: number | null;
  /** Smallest change that so many measurements show with 80 % power, as a share. */
  readonly minimumDetectable: number | null;
  /** Measurements of each side that show a change as large as the margin with 90 % power, by the spread seen here. */
  readonly neededForMargin: number | null;
  readonly verdict: PerfVerdict;
}

export interface ComparedMetric {
  readonly metric: string;
  readonly unit: string;
  readonly better: 'lower' | 'higher';
  readonly a: MetricSeries;
  readonly b: MetricSeries;
}

export interface ComparePerfOptions {
  readonly seed: number;
  /** Share below which a difference does not matter. @default 0.05 */
  readonly margin?: number | undefined;
  /** @default 0.05 */
  readonly alpha?: number | undefined;
  /** Bootstrap resamples of sides with other prompts. @default 2000 */
  readonly resamples?: number | undefined;
}

/** Fewer measurements than this carry no claim. */
const fewest = 10;

/**
 * The rank tests used here need up to a twentieth more than the tests of means that the formula is for (Hodges and Lehmann 1956), and the
 * spread it rests on is only estimated.
 */
const sizeAllowance = 1.1;

type Tested = Omit<MetricComparison, 'adjustedP' | 'verdict'> & { readonly isEquivalent: boolean };

function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Mean of the logs by prompt: repetitions of a prompt are averaged before they are paired. */
function logsByPrompt(series: MetricSeries): Map<string, number> {
  const sums = new Map<string, { total: number; count: number }>();
  for (const { prompt, value } of series.flat()) {
    if (!(value > 0)) continue;
    const known = sums.get(prompt) ?? { total: 0, count: 0 };
    sums.set(prompt, { total: known.total + Math.log(value), count: known.count + 1 });
  }
  return new Map([...sums].map(([prompt, { total, count }]) => [prompt, total / count]));
}

/** What so many measurements can show, and how many would show the margin; p values are corrected for `metricCount` of them. */
function detection(
  design: PowerDesign,
  n: number,
  { margin, alpha, metricCount }: Correction,
): Pick<Tested, 'minimumDetectable' | 'neededForMargin'> {
  if (!('sd' in design) || !(design.sd > 0) || n < 2) return { minimumDetectable: null, neededForMargin: null };
  const detectable = minimumDetectableDifference(design, n);
  const needed = sampleSizeFor(design, Math.log(1 + margin), { alpha: alpha / metricCount, power: 0.9 });
  return {
    minimumDetectable: detectable === null ? null : Math.exp(detectable) - 1,
    neededForMargin: needed === null ? null : Math.ceil(needed * sizeAllowance),
  };
}

interface Correction {
  readonly margin: number;
  readonly alpha: number;
  readonly metricCount: number;
}

function expInterval(interval: Interval | null): Interval | null {
  return interval === null ? null : { ...interval, low: Math.exp(interval.low), high: Math.exp(interval.high) };
}

function testPaired(metric: ComparedMetric, differences: readonly number[], correction: Correction): Tested {
  const list = Float64Array.from(differences);
  const { shift, interval } = pairedShift(list);
  const sd = standardDeviation(list);
  const n = list.length;
  const logMargin = Math.log(1 + correction.margin);
  return {
    ...frameOf(metric),
    design: 'paired',
    n,
    ratio: shift === null ? null : Math.exp(shift),
    interval: expInterval(interval),
    p: wilcoxonSignedRank(list).p,
    ...detection({ kind: 'paired-means', sd: sd ?? 0 }, n, correction),
    isEquivalent:
      shift !== null &&
      sd !== null &&
      n > 1 &&
      equivalenceTest({ difference: shift, standardError: sd / Math.sqrt(n), df: n - 1, margin: logMargin, alpha: correction.alpha })
        .equivalent,
  };
}

function testUnpaired(metric: ComparedMetric, options: ComparePerfOptions, correction: Correction): Tested {
  const { margin } = correction;
  const [a, b] = [metric.a, metric.b].map((series) => series.map((run) => run.map(({ value }) => value)));
  const [flatA, flatB] = [a!.flat(), b!.flat()];
  const { ratio, interval } = medianRatio(a!, b!, { seed: options.seed, resamples: options.resamples });
  const n = Math.min(flatA.length, flatB.length);
  const sd = standardDeviation(Float64Array.from([...flatA, ...flatB].filter((value) => value > 0).map(Math.log)));
  return {
    ...frameOf(metric),
    design: 'unpaired',
    n,
    ratio,
    interval,
    p: n === 0 ? null : mannWhitney(flatA, flatB).p,
    ...detection({ kind: 'means', sd: sd ?? 0 }, n, correction),
    isEquivalent: interval !== null && interval.low > 1 / (1 + margin) && interval.high < 1 + margin,
  };
}

function frameOf(metric: ComparedMetric): Pick<Tested, 'metric' | 'unit' | 'medianA' | 'medianB'> {
  const values = (series: MetricSeries): number[] => series.flat().map(({ value }) => value);
  return { metric: metric.metric, unit: metric.unit, medianA: medianOf(values(metric.a)), medianB: medianOf(values(metric.b)) };
}

/** Compares B with A in every metric; p values are corrected for their number (Holm). */
export function comparePerf(metrics: readonly ComparedMetric[], options: ComparePerfOptions): readonly MetricComparison[] {
  const margin = options.margin ?? 0.05;
  const alpha = options.alpha ?? 0.05;
  const correction = { margin, alpha, metricCount: Math.max(1, metrics.length) };
  const tested = metrics.map((metric) => {
    const [left, right] = [logsByPrompt(metric.a), logsByPrompt(metric.b)];
    const shared = [...left.keys()].filter((prompt) => right.has(prompt));
    // Slow starts that were cut off one side leave fewer pairs, but those are pairs still.
    const isPaired = shared.length >= fewest && shared.length >= 0.5 * Math.max(left.size, right.size);
    return isPaired
      ? testPaired(
          metric,
          shared.map((prompt) => right.get(prompt)! - left.get(prompt)!),
          correction,
        )
      : testUnpaired(metric, options, correction);
  });
  const adjusted = holm(tested.map(({ p, n }) => (n < fewest ? null : p)));
  return tested.map(({ isEquivalent, ...result }, index) => ({
    ...result,
    adjustedP: adjusted[index]!,
    verdict: verdictOf(result, adjusted[index]!, isEquivalent, metrics[index]!.better, alpha),
  }));
}

function verdictOf(
  result: Omit<Tested, 'isEquivalent'>,
  p: number | null,
  isEquivalent: boolean,
  better: 'lower' | 'higher',
  alpha: number,
): PerfVerdict {
  if (result.n < fewest || result.ratio === null || p === null) return 'not enough data';
  // A real difference that is too small to matter is "within the margin", whatever its p.
  if (isEquivalent) return 'equivalent';
  if (p > alpha || result.ratio === 1) return 'no change seen';
  // The rank test takes requests of one repetition as independent; the interval, drawn over whole repetitions, does not.
  const { interval } = result;
  if (result.design === 'unpaired' && interval !== null && interval.low <= 1 && interval.high >= 1) return 'no change seen';
  return result.ratio < 1 === (better === 'lower') ? 'better' : 'worse';
}
