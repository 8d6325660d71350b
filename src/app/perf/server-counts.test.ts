import { expect, test } from 'vitest';
import type { ServerTokenTotals } from '../../backends/openai/server-metrics.ts';
import type { RequestResult } from './request-log.ts';
import { countsBetween, joinServerCounts, readServerCounts } from './server-counts.ts';

function totals(promptTokens: number | null, generatedTokens: number | null, more: Partial<ServerTokenTotals> = {}): ServerTokenTotals {
  return { promptTokens, generatedTokens, requests: null, countsCachedPrompts: false, ...more };
}

function answer(more: Partial<RequestResult> = {}): RequestResult {
  return { promptTokens: 100, cachedTokens: 0, outputTokens: 10, error: null, ...more } as RequestResult;
}

const failed = answer({ promptTokens: null, outputTokens: null, error: { class: 'timeout', message: '' } });

test('what the counters rose by, beside the answers that arrived; failures do not count here', () => {
  const counts = countsBetween(totals(1000, 50), totals(1200, 70), [answer(), answer(), failed]);
  expect(counts).toEqual({
    server: { promptTokens: 200, generatedTokens: 20, requests: null },
    client: { promptTokens: 200, generatedTokens: 20, requests: 2 },
  });
});

test('prompt tokens from a cache count only where the server counts them', () => {
  const results = [answer({ cachedTokens: 60 }), answer({ cachedTokens: null })];
  expect(countsBetween(totals(0, 0), totals(140, 20), results).client.promptTokens).toBe(140);
  const all = totals(0, 0, { countsCachedPrompts: true });
  expect(countsBetween(all, { ...all, promptTokens: 200 }, results).client.promptTokens).toBe(200);
});

test('unknown stays unknown: a restarted server, a counter it lacks, an answer without counts', () => {
  expect(countsBetween(totals(1000, null), totals(10, null), [answer()]).server).toEqual({
    promptTokens: null,
    generatedTokens: null,
    requests: null,
  });
  expect(countsBetween(totals(0, 0), totals(9, 9), [answer({ outputTokens: null })]).client.generatedTokens).toBeNull();
});

test('counters that trail the answers are read again; a shortfall that stays is told', async () => {
  const readings = [totals(100, 4), totals(100, 10)];
  let reads = 0;
  const late = await readServerCounts(totals(0, 0), async () => readings[Math.min(reads++, 1)]!, [answer()]);
  expect(late!.server.generatedTokens).toBe(10);
  expect(reads).toBe(2);
  const never = await readServerCounts(totals(0, 0), async () => totals(100, 4), [answer()]);
  expect(never!.server.generatedTokens).toBe(4);
  expect(await readServerCounts(totals(0, 0), async () => null, [answer()])).toBeNull();
});

test('repetitions add up, unless one of them has no counters', () => {
  const one = countsBetween(totals(0, 0), totals(100, 10), [answer()]);
  expect(joinServerCounts([one, one])).toEqual({
    server: { promptTokens: 200, generatedTokens: 20, requests: null },
    client: { promptTokens: 200, generatedTokens: 20, requests: 2 },
  });
  expect(joinServerCounts([one, null])).toBeNull();
  expect(joinServerCounts([])).toBeNull();
});
