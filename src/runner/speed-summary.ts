// Latency and throughput of one result, from answers that the model really gave in this run.
import type { PredictionRow } from '../core/prediction.ts';
import type { Speed } from '../core/record.ts';
import { summarize } from '../stats/quantile.ts';
import { NumberColumn } from './number-column.ts';
import type { TaskSession } from './run-facts.ts';

export interface SpeedAccumulator {
  readonly add: (row: PredictionRow) => void;
  readonly finish: (sessions: readonly TaskSession[]) => Speed;
}

/** Tokens over milliseconds. */
interface Rate {
  tokens: number;
  durationMs: number;
}

interface Total {
  sum: number;
  n: number;
}

/** Rows of failed requests and cached answers are left out: their times say nothing about the model. */
export function speedAccumulator(): SpeedAccumulator {
  const times = { totalMs: new NumberColumn(), ttftMs: new NumberColumn(), ttfaMs: new NumberColumn(), tpotMs: new NumberColumn() };
  const prefill: Rate = { tokens: 0, durationMs: 0 };
  const decode: Rate = { tokens: 0, durationMs: 0 };
  const totals = { promptTokens: newTotal(), completionTokens: newTotal(), cachedTokens: newTotal(), computedTokens: newTotal() };
  let n = 0;
  return {
    add: (row) => {
      if (row.origin !== 'fresh' || row.outcome.kind === 'error') return;
      n++;
      const { timing, usage } = row;
      for (const key of ['totalMs', 'ttftMs', 'ttfaMs', 'tpotMs'] as const) times[key].add(timing[key]);
      for (const key of ['promptTokens', 'completionTokens', 'cachedTokens', 'computedTokens'] as const) addTo(totals[key], usage[key]);
      // Counts guessed from chunks are barred from headline figures.
      if (usage.source === 'chunks' || usage.source === 'none') return;
      addRate(prefill, evaluatedPromptTokens(row), timing.prefillMs ?? null);
      addRate(decode, ...decodeOf(row));
    },
    finish: (sessions) => ({
      n,
      latencyMs: summarize(times.totalMs.values()),
      ttftMs: summarize(times.ttftMs.values()),
      ttfaMs: summarize(times.ttfaMs.values()),
      tpotMs: summarize(times.tpotMs.values()),
      prefillTokensPerSecond: perSecond(prefill),
      decodeTokensPerSecond: perSecond(decode),
      samplesPerSecond: samplesPerSecond(sessions),
      promptTokens: knownSum(totals.promptTokens),
      completionTokens: knownSum(totals.completionTokens),
      cachedTokens: knownSum(totals.cachedTokens),
      computedTokens: knownSum(totals.computedTokens),
      concurrency: sessions.reduce<number | null>((last, session) => session.concurrency ?? last, null),
    }),
  };
}

/** Only prompt tokens that were computed count: reused ones took no time. */
function evaluatedPromptTokens({ usage }: PredictionRow): number | null {
  if (usage.computedTokens != null && (usage.completionTokens ?? 0) === 0) return usage.computedTokens;
  return usage.promptTokens === null ? null : usage.promptTokens - (usage.cachedTokens ?? 0);
}

/** The engine's own decode time; else first to last token, which are one token fewer. */
function decodeOf({ usage, timing }: PredictionRow): [tokens: number | null, durationMs: number | null] {
  const tokens = usage.completionTokens;
  if (tokens === null) return [null, null];
  if (timing.decodeMs != null) return [tokens, timing.decodeMs];
  if (timing.totalMs === null || timing.ttftMs === null || tokens < 2) return [null, null];
  return [tokens - 1, timing.totalMs - timing.ttftMs];
}

function addRate(rate: Rate, tokens: number | null, durationMs: number | null): void {
  if (tokens === null || durationMs === null || !(durationMs > 0) || tokens <= 0) return;
  rate.tokens += tokens;
  rate.durationMs += durationMs;
}

function perSecond({ tokens, durationMs }: Rate): number | null {
  return durationMs > 0 ? (tokens / durationMs) * 1000 : null;
}

function samplesPerSecond(sessions: readonly TaskSession[]): number | null {
  let answers = 0;
  let durationMs = 0;
  for (const session of sessions) {
    if (session.measuredMs === null) continue;
    answers += session.freshAnswers;
    durationMs += session.measuredMs;
  }
  return durationMs > 0 ? (answers / durationMs) * 1000 : null;
}

function newTotal(): Total {
  return { sum: 0, n: 0 };
}
function addTo(total: Total, value: number | null | undefined): void {
  if (value == null) return;
  total.sum += value;
  total.n++;
}
function knownSum({ sum, n }: Total): number | null {
  return n === 0 ? null : sum;
}
