import { expect, test } from 'vitest';
import { tokensInWindow } from './load-rates.ts';
import { defaultRatings, parseRatings, rate } from './ratings.ts';
import type { RequestResult } from './request-log.ts';
import { prefillRate, requestMetrics } from './request-metrics.ts';

const base: RequestResult = {
  index: 0,
  scheduledMs: 0,
  sentMs: 0,
  endedMs: 1000,
  ttftMs: 100,
  ttfaMs: 100,
  e2eMs: 1000,
  queuedMs: 0,
  tpotMs: 10,
  prefillMs: null,
  promptTokens: 40,
  cachedTokens: 0,
  outputTokens: 91,
  reasoningTokens: null,
  countSource: 'server',
  wantedTokens: 91,
  expectedPromptTokens: null,
  finish: 'stop',
  error: null,
  gapsMs: [],
  promptDigest: 'x',
};

test('latencies of answers only; percentiles type 7 (L04)', () => {
  const answers = [1000, 1100, 1200, 1300].map((e2eMs): RequestResult => ({ ...base, e2eMs }));
  const failures = [5, 5, 5, 30_000].map(
    (endedMs): RequestResult => ({ ...base, endedMs, ttftMs: null, e2eMs: null, error: { class: 'timeout', message: '' } }),
  );
  const { e2e } = requestMetrics([...answers, ...failures], defaultRatings);
  expect(e2e).toMatchObject({ n: 4, p50: 1150, p95: 1285, missing: 0 });
  const none = requestMetrics(failures, defaultRatings);
  expect(none['e2e']).toMatchObject({ n: 0, p50: null, mean: null });
});

test('an empty answer has no ttft, a thinking-only one no ttfa; both are counted as missing (L01, L02)', () => {
  const metrics = requestMetrics([{ ...base, ttftMs: null, ttfaMs: null, e2eMs: null }, { ...base, ttfaMs: null }, base], defaultRatings);
  expect(metrics['ttft']).toMatchObject({ n: 2, missing: 1 });
  expect(metrics['ttfa']).toMatchObject({ n: 1, missing: 2 });
});

test('several tokens per chunk: chunk gaps are no token gaps (L03)', () => {
  const bundled: RequestResult = {
    ...base,
    ttftMs: 500,
    e2eMs: 2000,
    outputTokens: 60,
    tpotMs: 1500 / 59,
    gapsMs: Array.from({ length: 14 }, () => 1500 / 14),
  };
  const metrics = requestMetrics([bundled], defaultRatings);
  expect(metrics['icl']!.p50).toBeCloseTo(107.14, 1);
  expect(metrics['itl']).toMatchObject({ n: 0, p50: null, missing: 1 });
  expect(metrics['decodeRate']!.p50).toBeCloseTo(39.3333, 3);
  const estimated = requestMetrics([{ ...bundled, countSource: 'chunks', outputTokens: 15 }], defaultRatings);
  expect(estimated['decodeRate']!.notes.join()).toContain('estimate');
});

test('prompt rate counts computed tokens only, and not a server clock that cannot be (L06)', () => {
  expect(prefillRate({ ...base, promptTokens: 40, cachedTokens: 32, prefillMs: 100, ttftMs: 120 })).toEqual({ value: 80, isBound: false });
  const odd = prefillRate({ ...base, promptTokens: 8192, prefillMs: 60, ttftMs: 7000 })!;
  expect(odd.isBound).toBe(true);
  expect(odd.value).toBeCloseTo(1170.285714, 5);
  expect(prefillRate({ ...base, promptTokens: null })).toBeNull();
});

test('the longest stall is seen though the mean gap is small', () => {
  const stalled: RequestResult = { ...base, gapsMs: [10, 10, 900, 10] };
  expect(requestMetrics([stalled], defaultRatings)['longestStall']!.max).toBe(900);
});

test('only tokens that arrive in the window count for throughput', () => {
  const answer: RequestResult = {
    ...base,
    endedMs: 1000,
    e2eMs: 1000,
    ttftMs: 100,
    outputTokens: 10,
    gapsMs: Array.from({ length: 9 }, () => 100),
  };
  expect(tokensInWindow([answer], 0, 1000)).toBe(10);
  expect(tokensInWindow([answer], 450, 1000)).toBe(6);
  expect(tokensInWindow([{ ...answer, outputTokens: null }], 0, 1000)).toBeNull();
});

test('ratings have limits that users can set', () => {
  expect([400, 900, 4000].map((ms) => rate('ttft', ms, defaultRatings))).toEqual(['good', 'fair', 'poor']);
  expect(rate('decodeRate', 30, defaultRatings)).toBe('good');
  expect(rate('ttft', 250, parseRatings(['ttft=200/300']))).toBe('fair');
  expect(rate('ttft', null, defaultRatings)).toBeNull();
  expect(() => parseRatings(['tttf=1/2'])).toThrow(expect.objectContaining({ code: 'usage', hint: expect.stringContaining('ttft') }));
});
