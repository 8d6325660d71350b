// What the server counted by itself during a measured phase, beside what arrived here.
import type { ServerTokenTotals } from '../../backends/openai/server-metrics.ts';
import { monotonicClock } from '../../profiler/monotonic-clock.ts';
import type { ServerCounts } from './perf-schema.ts';
import type { RequestResult } from './request-log.ts';

/** Reads the server's counters; null where it publishes none. */
export type ReadServerTotals = () => Promise<ServerTokenTotals | null>;

/** Counters may trail the answers by a moment: they are read again this often before a shortfall counts. */
const rereads = 3;
const rereadAfterMs = 100;

function total(results: readonly RequestResult[], countOf: (result: RequestResult) => number | null): number | null {
  let sum = 0;
  for (const result of results) {
    const value = countOf(result);
    if (value === null) return null;
    sum += value;
  }
  return sum;
}

function rise(before: number | null, after: number | null): number | null {
  // A server that was restarted meanwhile has counted from zero again.
  return before === null || after === null || after < before ? null : after - before;
}

/** @param results - every request of the phase: the server counted those outside the steady window too */
export function countsBetween(before: ServerTokenTotals, after: ServerTokenTotals, results: readonly RequestResult[]): ServerCounts {
  const answered = results.filter((result) => result.error === null);
  const computed = ({ promptTokens, cachedTokens }: RequestResult): number | null =>
    promptTokens === null || before.countsCachedPrompts ? promptTokens : promptTokens - (cachedTokens ?? 0);
  return {
    server: {
      promptTokens: rise(before.promptTokens, after.promptTokens),
      generatedTokens: rise(before.generatedTokens, after.generatedTokens),
      requests: rise(before.requests, after.requests),
    },
    client: {
      promptTokens: total(answered, computed),
      generatedTokens: total(answered, (result) => result.outputTokens),
      requests: answered.length,
    },
  };
}

function falls({ server, client }: ServerCounts): boolean {
  return (['generatedTokens', 'promptTokens', 'requests'] as const).some(
    (name) => server[name] !== null && client[name] !== null && server[name] < client[name],
  );
}

export async function readServerCounts(
  before: ServerTokenTotals,
  read: ReadServerTotals,
  results: readonly RequestResult[],
): Promise<ServerCounts | null> {
  let counts: ServerCounts | null = null;
  for (let attempt = 0; attempt <= rereads; attempt++) {
    if (attempt > 0) await monotonicClock.sleep(rereadAfterMs);
    const after = await read();
    if (after === null) return null;
    counts = countsBetween(before, after, results);
    if (!falls(counts)) break;
  }
  return counts;
}

function addUp(values: readonly (number | null)[]): number | null {
  return values.some((value) => value === null) ? null : values.reduce<number>((sum, value) => sum + value!, 0);
}

/** Of all repetitions together; null where one of them has none. */
export function joinServerCounts(all: readonly (ServerCounts | null)[]): ServerCounts | null {
  const known = all.filter((counts) => counts !== null);
  if (known.length === 0 || known.length < all.length) return null;
  const side = (name: 'server' | 'client'): ServerCounts['server'] => ({
    promptTokens: addUp(known.map((counts) => counts[name].promptTokens)),
    generatedTokens: addUp(known.map((counts) => counts[name].generatedTokens)),
    requests: addUp(known.map((counts) => counts[name].requests)),
  });
  return { server: side('server'), client: side('client') };
}
