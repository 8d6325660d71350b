// Figures that stand for a whole load point: throughput, goodput, shares. Rates are totals over total time, never means of rates.
import { wilsonInterval } from '../../stats/proportion.ts';
import type { PerfRate } from './perf-schema.ts';
import type { RequestResult } from './request-log.ts';
import { judgeRequest, type Slo, type SloVerdict } from './slo.ts';
import type { SteadyWindow } from './steady-window.ts';

export interface SloCounts {
  readonly good: number;
  readonly bad: number;
  readonly undetermined: number;
}

export function countSlo(results: readonly RequestResult[], slo: Slo): SloCounts {
  const counts: Record<SloVerdict, number> = { good: 0, bad: 0, undetermined: 0 };
  for (const result of results) counts[judgeRequest(result, slo)]++;
  return counts;
}

/** Tokens whose arrival lies in the window: each answer's tokens are spread over its chunks. */
export function tokensInWindow(results: readonly RequestResult[], fromMs: number, toMs: number): number | null {
  let tokens = 0;
  for (const result of results) {
    if (result.error !== null || result.ttftMs === null) continue;
    if (result.outputTokens === null) return null;
    const startMs = result.endedMs - (result.e2eMs ?? 0);
    const perChunk = result.outputTokens / (result.gapsMs.length + 1);
    let atMs = startMs + result.ttftMs;
    for (let chunk = 0; chunk <= result.gapsMs.length; chunk++) {
      if (atMs >= fromMs && atMs <= toMs) tokens += perChunk;
      atMs += result.gapsMs[chunk] ?? 0;
    }
  }
  return tokens;
}

function rateOf(value: number | null, unit: string, n: number, more: Partial<PerfRate> = {}): PerfRate {
  return { value, unit, better: 'higher', n, interval: null, notes: [], ...more };
}

function share(part: number, n: number, more: Partial<PerfRate>): PerfRate {
  return rateOf(n === 0 ? null : part / n, 'fraction', n, { interval: wilsonInterval({ successes: part, n }), ...more });
}

export interface WindowOfRepetition {
  readonly window: Pick<SteadyWindow, 'fromMs' | 'toMs' | 'results'>;
  readonly all: readonly RequestResult[];
}

export function loadRates(repetitions: readonly WindowOfRepetition[], slo: Slo | null): Record<string, PerfRate> {
  const results = repetitions.flatMap(({ window }) => [...window.results]);
  const answered = results.filter((result) => result.error === null);
  const seconds = repetitions.reduce((sum, { window }) => sum + Math.max(0, window.toMs - window.fromMs), 0) / 1000;
  const per = (count: number | null): number | null => (count === null || seconds <= 0 ? null : count / seconds);
  const ended = repetitions.reduce(
    (sum, { all, window }) =>
      sum + all.filter((result) => result.error === null && result.endedMs >= window.fromMs && result.endedMs <= window.toMs).length,
    0,
  );
  const tokens = addUp(repetitions.map(({ all, window }) => tokensInWindow(all, window.fromMs, window.toMs)));
  const prompt = total(answered, 'promptTokens');
  const cached = total(answered, 'cachedTokens');
  const isEstimate = answered.some((result) => result.countSource === 'chunks');
  const rates: Record<string, PerfRate> = {
    requestRate: rateOf(per(ended), 'req/s', answered.length),
    outputRate: rateOf(per(tokens), 'tok/s', answered.length, { notes: isEstimate ? ['token counts are chunk counts: an estimate'] : [] }),
    errorShare: share(results.length - answered.length, results.length, { better: 'lower' }),
    cachedPromptShare: rateOf(prompt === null || cached === null || prompt === 0 ? null : cached / prompt, 'fraction', answered.length, {
      better: 'lower',
      notes: cached === null ? ['the server does not tell how much of a prompt was cached'] : [],
    }),
  };
  if (slo === null) return rates;
  const counts = countSlo(results, slo);
  const notes =
    counts.undetermined > 0 ? [`${counts.undetermined} requests have no measurement for an objective; they do not count as good`] : [];
  rates['sloAttainment'] = share(counts.good, results.length, { notes });
  rates['goodput'] = rateOf(per(counts.good), 'req/s', results.length, { notes });
  return rates;
}

function total(results: readonly RequestResult[], name: 'promptTokens' | 'cachedTokens'): number | null {
  const known = results.map((result) => result[name]).filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

function addUp(values: readonly (number | null)[]): number | null {
  return values.some((value) => value === null) ? null : values.reduce<number>((sum, value) => sum + value!, 0);
}
