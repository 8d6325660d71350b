// Latency metrics of the requests in the steady windows, each with its interval, its gaps in the data and its rating.
import type { QuantileSummary } from '../../core/record.ts';
import { meanInterval } from '../../stats/moments.ts';
import { quantile, quantileInterval, summarizeSorted } from '../../stats/quantile.ts';
import type { PerfMetric } from './perf-schema.ts';
import { type Ratings, rate } from './ratings.ts';
import type { RequestResult } from './request-log.ts';

export interface MetricFacts {
  readonly unit: string;
  readonly better: 'lower' | 'higher';
  readonly missing: number;
  readonly rating?: string | null | undefined;
  readonly notes?: readonly string[] | undefined;
}

/** Distribution of values with order-statistic intervals of its median and 95th percentile. */
export function perfMetric(values: readonly number[], facts: MetricFacts): PerfMetric {
  const sorted = new Float64Array(values).filter(Number.isFinite).sort();
  return {
    ...metricOf(summarizeSorted(sorted), facts),
    p50Interval: quantileInterval(sorted, 0.5),
    p95Interval: quantileInterval(sorted, 0.95),
    meanInterval: sorted.length < 2 ? null : meanInterval(sorted),
  };
}

/** Without intervals. */
function metricOf(summary: QuantileSummary, facts: MetricFacts): PerfMetric {
  return {
    ...summary,
    unit: facts.unit,
    better: facts.better,
    missing: facts.missing,
    p50Interval: null,
    p95Interval: null,
    meanInterval: null,
    rating: facts.rating ?? null,
    notes: [...(facts.notes ?? [])],
  };
}

type Reader = (result: RequestResult) => number | null;

function plusLateness(read: Reader): Reader {
  return (result) => {
    const value = read(result);
    return value === null ? null : value + Math.max(0, result.sentMs - result.scheduledMs);
  };
}

/** Prompt tokens that were really computed over the time the prompt took. */
export function prefillRate(result: RequestResult): { readonly value: number; readonly isBound: boolean } | null {
  const { promptTokens, cachedTokens, prefillMs, ttftMs } = result;
  if (promptTokens === null) return null;
  const computed = promptTokens - (cachedTokens ?? 0);
  if (computed <= 0) return null;
  // A server clock that is far shorter than what the client saw timed only the last batch (L06).
  const isPlausible = prefillMs !== null && prefillMs > 0 && (ttftMs === null || prefillMs > 0.1 * ttftMs);
  if (isPlausible) return { value: (computed * 1000) / prefillMs, isBound: false };
  return ttftMs !== null && ttftMs > 0 ? { value: (computed * 1000) / ttftMs, isBound: true } : null;
}

const readers: Readonly<Record<string, { readonly read: Reader; readonly unit: string; readonly better: 'lower' | 'higher' }>> = {
  ttft: { read: (result) => result.ttftMs, unit: 'ms', better: 'lower' },
  ttftFromSchedule: { read: plusLateness((result) => result.ttftMs), unit: 'ms', better: 'lower' },
  ttfa: { read: (result) => result.ttfaMs, unit: 'ms', better: 'lower' },
  tpot: { read: (result) => result.tpotMs, unit: 'ms', better: 'lower' },
  e2e: { read: (result) => result.e2eMs, unit: 'ms', better: 'lower' },
  e2eFromSchedule: { read: plusLateness((result) => result.e2eMs), unit: 'ms', better: 'lower' },
  queue: { read: (result) => result.queuedMs, unit: 'ms', better: 'lower' },
  longestStall: { read: (result) => longest(result.gapsMs), unit: 'ms', better: 'lower' },
  prefillRate: { read: (result) => prefillRate(result)?.value ?? null, unit: 'tok/s', better: 'higher' },
  decodeRate: {
    read: (result) => (result.tpotMs === null || result.tpotMs === 0 ? null : 1000 / result.tpotMs),
    unit: 'tok/s',
    better: 'higher',
  },
  promptTokens: { read: (result) => result.promptTokens, unit: 'tokens', better: 'lower' },
  outputTokens: { read: (result) => result.outputTokens, unit: 'tokens', better: 'higher' },
};

function longest(gaps: ArrayLike<number>): number | null {
  if (gaps.length === 0) return null;
  let most = 0;
  for (let index = 0; index < gaps.length; index++) most = Math.max(most, gaps[index]!);
  return most;
}

/** Of answers that came: failures are counted elsewhere and never enter a latency. */
export function requestMetrics(results: readonly RequestResult[], ratings: Ratings): Record<string, PerfMetric> {
  const answered = results.filter((result) => result.error === null);
  const metrics: Record<string, PerfMetric> = {};
  for (const [name, { read, unit, better }] of Object.entries(readers)) {
    const values = answered.map(read).filter((value) => value !== null);
    const facts = { unit, better, missing: answered.length - values.length, notes: notesOf(name, answered) };
    const metric = perfMetric(values, facts);
    metrics[name] = { ...metric, rating: rate(name, metric.p50, ratings) };
  }
  metrics['icl'] = gapMetric(answered, 'gaps between chunks, pooled over all answers');
  metrics['itl'] = tokenGapMetric(answered, metrics['icl']);
  metrics['e2eWithFailures'] = withFailures(results);
  return metrics;
}

function notesOf(name: string, answered: readonly RequestResult[]): string[] {
  if (name === 'prefillRate' && answered.some((result) => prefillRate(result)?.isBound === true)) {
    return ['no server time of the prompt: its rate is computed from ttft, which is an upper bound of that time'];
  }
  if ((name === 'tpot' || name === 'decodeRate') && answered.some((result) => result.countSource === 'chunks')) {
    return ['token counts are chunk counts: an estimate'];
  }
  return [];
}

function pooledGaps(answered: readonly RequestResult[]): Float64Array {
  const total = answered.reduce((sum, result) => sum + result.gapsMs.length, 0);
  const pooled = new Float64Array(total);
  let place = 0;
  for (const { gapsMs } of answered) for (let index = 0; index < gapsMs.length; index++) pooled[place++] = gapsMs[index]!;
  return pooled;
}

/** Gaps of one answer are not independent: intervals that assume so would be too narrow, so there are none. */
function gapMetric(answered: readonly RequestResult[], note: string): PerfMetric {
  const missing = answered.filter((result) => result.gapsMs.length === 0).length;
  return metricOf(summarizeSorted(pooledGaps(answered).sort()), { unit: 'ms', better: 'lower', missing, notes: [note] });
}

/** Only where each chunk is one token; several tokens per chunk make a chunk gap no token gap. */
function tokenGapMetric(answered: readonly RequestResult[], chunkGaps: PerfMetric): PerfMetric {
  const single = answered.filter(
    (result) => result.outputTokens !== null && result.countSource !== 'chunks' && result.outputTokens === result.gapsMs.length + 1,
  );
  const note = 'answers with one token per chunk; pooled';
  // The common case, and sorting all gaps once more is the costliest part of a load point.
  if (single.length === answered.length) return { ...chunkGaps, missing: 0, notes: [note] };
  return { ...gapMetric(single, note), missing: answered.length - single.length };
}

/** Percentiles in which a failed request took for ever; null where a percentile falls among the failures. */
function withFailures(results: readonly RequestResult[]): PerfMetric {
  const sorted = Float64Array.from(results, (result) => (result.error === null ? (result.e2eMs ?? Number.NaN) : Number.POSITIVE_INFINITY))
    .filter((value) => !Number.isNaN(value))
    .sort();
  // A percentile whose upper neighbour is a failure is itself endless.
  const at = (probability: number): number | null => {
    const upper = sorted[Math.ceil(probability * (sorted.length - 1))];
    return upper === undefined || !Number.isFinite(upper) ? null : quantile(sorted, probability);
  };
  const failures = results.filter((result) => result.error !== null).length;
  const base = perfMetric(Array.from(sorted), { unit: 'ms', better: 'lower', missing: 0 });
  const notes = failures === 0 ? [] : [`${failures} failed requests count as endless`];
  return {
    ...base,
    n: sorted.length,
    mean: failures > 0 ? null : base.mean,
    p50: at(0.5),
    p90: at(0.9),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
    p50Interval: null,
    p95Interval: null,
    meanInterval: null,
    notes,
  };
}
