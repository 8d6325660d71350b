// Speed of one model on one task from its rows: fresh, answered requests only; rates are total tokens over total time.
import type { PredictionRow } from '../core/prediction.ts';
import type { Speed } from '../core/record.ts';
import { summarize } from '../stats/quantile.ts';

export interface SpeedFacts {
  /** Wall time in which the rows were made, for samples per second. */
  readonly elapsedMs?: number | null | undefined;
  readonly concurrency?: number | null | undefined;
}

/** A sum that stays null until something is added. */
class OptionalSum {
  total: number | null = null;
  add(value: number | null | undefined): void {
    if (value !== null && value !== undefined && Number.isFinite(value)) this.total = (this.total ?? 0) + value;
  }
}

/** Tokens over time of the rows that have both; null where none has. */
class Rate {
  private tokens = 0;
  private ms = 0;
  add(tokens: number | null | undefined, ms: number | null | undefined): void {
    if (tokens === null || tokens === undefined || ms === null || ms === undefined) return;
    if (tokens < 0 || !(ms > 0)) return;
    this.tokens += tokens;
    this.ms += ms;
  }
  perSecond(): number | null {
    return this.ms > 0 ? (1000 * this.tokens) / this.ms : null;
  }
}

function minus(left: number | null | undefined, right: number | null | undefined): number | null {
  return left === null || left === undefined || right === null || right === undefined ? null : left - right;
}

/**
 * Latency percentiles and token rates. Errors, skipped rows and rows from a cache never enter; counts that are chunk estimates do not
 * enter rates or totals. The engine's own prefill and decode times are used where rows have them, else the client's
 * (prefill = time to first token, which bounds it from above).
 */
export function computeSpeed(rows: Iterable<PredictionRow>, facts: SpeedFacts = {}): Speed {
  const times = { latency: [] as number[], ttft: [] as number[], ttfa: [] as number[], tpot: [] as number[] };
  const engine = { prefill: new Rate(), decode: new Rate() };
  const client = { prefill: new Rate(), decode: new Rate() };
  const sums = { prompt: new OptionalSum(), completion: new OptionalSum(), cached: new OptionalSum(), computed: new OptionalSum() };
  let n = 0;
  for (const { origin, outcome, timing, usage } of rows) {
    if (origin !== 'fresh' || (outcome.kind !== 'scored' && outcome.kind !== 'invalid')) continue;
    n++;
    if (timing.totalMs !== null) times.latency.push(timing.totalMs);
    if (timing.ttftMs !== null) times.ttft.push(timing.ttftMs);
    if (timing.ttfaMs !== null) times.ttfa.push(timing.ttfaMs);
    if (timing.tpotMs !== null) times.tpot.push(timing.tpotMs);
    if (usage.source === 'chunks' || usage.source === 'none') continue;
    const evaluated = minus(usage.promptTokens, usage.cachedTokens ?? 0);
    engine.prefill.add(evaluated, timing.prefillMs);
    engine.decode.add(usage.completionTokens, timing.decodeMs);
    client.prefill.add(evaluated, timing.ttftMs);
    client.decode.add(minus(usage.completionTokens, 1), minus(timing.totalMs, timing.ttftMs));
    sums.prompt.add(usage.promptTokens);
    sums.completion.add(usage.completionTokens);
    sums.cached.add(usage.cachedTokens);
    sums.computed.add(usage.computedTokens);
  }
  const elapsedMs = facts.elapsedMs ?? null;
  return {
    n,
    latencyMs: summarize(times.latency),
    ttftMs: summarize(times.ttft),
    ttfaMs: summarize(times.ttfa),
    tpotMs: summarize(times.tpot),
    prefillTokensPerSecond: engine.prefill.perSecond() ?? client.prefill.perSecond(),
    decodeTokensPerSecond: engine.decode.perSecond() ?? client.decode.perSecond(),
    samplesPerSecond: elapsedMs !== null && elapsedMs > 0 ? (1000 * n) / elapsedMs : null,
    promptTokens: sums.prompt.total,
    completionTokens: sums.completion.total,
    cachedTokens: sums.cached.total,
    computedTokens: sums.computed.total,
    concurrency: facts.concurrency ?? null,
  };
}
