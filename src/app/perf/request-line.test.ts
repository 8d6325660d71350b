import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packGaps, readRequestLine, requestLine, unpackGaps } from './request-line.ts';
import { RequestLog, type RequestResult } from './request-log.ts';

test('gaps come back within half a step', () => {
  fc.assert(
    fc.property(fc.array(fc.double({ min: 0, max: 600_000, noNaN: true }), { maxLength: 80 }), (gaps) => {
      const back = unpackGaps(packGaps(gaps));
      expect(back).toHaveLength(gaps.length);
      for (const [index, gap] of gaps.entries()) expect(Math.abs(back[index]! - gap)).toBeLessThanOrEqual(0.00501);
    }),
  );
});

function resultOf(index: number, gaps: number): RequestResult {
  return {
    index,
    scheduledMs: index * 31.337,
    sentMs: index * 31.337 + 0.123,
    endedMs: index * 31.337 + 812.5,
    ttftMs: 51.234,
    ttfaMs: 51.234,
    e2eMs: 700.75,
    queuedMs: 0.123,
    tpotMs: 10.0457,
    prefillMs: 48.12,
    promptTokens: 512,
    cachedTokens: 0,
    outputTokens: gaps + 1,
    reasoningTokens: null,
    countSource: 'server',
    wantedTokens: gaps + 1,
    expectedPromptTokens: 512,
    finish: 'length',
    error: null,
    gapsMs: Array.from({ length: gaps }, (_, place) => 9.5 + (place % 7) * 0.17),
    promptDigest: '0123456789abcdef',
  };
}

test('a request with 63 gaps takes at most half a kilobyte', () => {
  const line = requestLine(resultOf(12_345, 63), { model: 'smollm2-135m', point: 3, repetition: 1, isSteady: true });
  expect(line.length).toBeLessThanOrEqual(512);
  expect(JSON.parse(line)).toMatchObject({ ttftMs: 51.234, out: 64 });
  expect(line).not.toContain('null');
});

test('100,000 requests with 64 gaps fit into 45 MB of columns', () => {
  const gaps = Float32Array.from({ length: 64 }, () => 10);
  const template = { ...resultOf(0, 1), gapsMs: gaps };
  const log = new RequestLog();
  for (let index = 0; index < 100_000; index++) log.add({ ...template, index });
  expect(log.length).toBe(100_000);
  expect(log.gaps(99_999)).toHaveLength(64);
  expect(log.reservedBytes / 1e6).toBeLessThan(45);
  expect(log.at(54_321)).toMatchObject({ index: 54_321, ttftMs: 51.234 });
});

test('missing numbers stay missing, never 0', () => {
  const log = new RequestLog();
  log.add({ ...resultOf(0, 0), ttftMs: null, tpotMs: null, outputTokens: null, cachedTokens: 0 });
  expect(log.at(0)).toMatchObject({ ttftMs: null, tpotMs: null, outputTokens: null, cachedTokens: 0 });
});

test('a request comes back from its line, with what is missing still missing', () => {
  const labels = { model: 'm', point: 0, repetition: 0, isSteady: true };
  const cases: Partial<RequestResult>[] = [
    {},
    { outputTokens: 3, wantedTokens: 16, finish: 'stop', expectedPromptTokens: 600 },
    { outputTokens: null, cachedTokens: null, promptTokens: null, expectedPromptTokens: null, countSource: 'none' },
    { ttftMs: null, ttfaMs: null, e2eMs: null, tpotMs: null, gapsMs: [], finish: 'error', error: { class: 'transport', message: '' } },
    { outputTokens: 0, wantedTokens: 0, cachedTokens: 0 },
  ];
  for (const change of cases) {
    const sent = { ...resultOf(7, 5), ...change };
    const { result, isSteady } = readRequestLine(requestLine(sent, labels));
    expect(isSteady).toBe(true);
    expect({ ...result, gapsMs: [] }).toEqual({ ...sent, sentMs: 219.482, tpotMs: sent.tpotMs === null ? null : 10.046, gapsMs: [] });
    expect(result.gapsMs).toHaveLength(sent.gapsMs.length);
    for (const [index, gap] of Array.from(sent.gapsMs).entries()) expect(result.gapsMs[index]).toBeCloseTo(gap, 6);
  }
  expect(readRequestLine(requestLine(resultOf(0, 0), { ...labels, isSteady: false })).isSteady).toBe(false);
});
