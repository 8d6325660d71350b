import { expect, test } from 'vitest';
import type { RequestResult } from './request-log.ts';
import { judgeRequest, parseSlo } from './slo.ts';

const result: RequestResult = {
  index: 0,
  scheduledMs: 0,
  sentMs: 0,
  endedMs: 1000,
  ttftMs: 400,
  ttfaMs: 400,
  e2eMs: 900,
  queuedMs: 0,
  tpotMs: 40,
  prefillMs: null,
  promptTokens: 10,
  cachedTokens: 0,
  outputTokens: 13,
  reasoningTokens: null,
  countSource: 'server',
  wantedTokens: 13,
  expectedPromptTokens: null,
  finish: 'stop',
  error: null,
  gapsMs: [],
  promptDigest: 'x',
};

test('limits with units and a percentile are read', () => {
  expect(parseSlo('ttft=500ms, tpot=50ms,p=95')).toEqual({ limitsMs: { ttft: 500, tpot: 50 }, percentile: 95 });
  expect(parseSlo('e2e=2s').limitsMs.e2e).toBe(2000);
});

test.each(['ttft=500', 'ttft', 'ttff=5ms', 'p=95', 'ttft=-1ms', 'p=0,ttft=1ms', '', 'p=101,ttft=1ms'])(
  '"%s" is refused with a hint',
  (text) => {
    expect(() => parseSlo(text)).toThrow(expect.objectContaining({ code: 'usage', hint: expect.any(String) }));
  },
);

test('a request is good only when every objective is measured and met', () => {
  const slo = parseSlo('ttft=500ms,tpot=50ms');
  expect(judgeRequest(result, slo)).toBe('good');
  expect(judgeRequest({ ...result, ttftMs: 501 }, slo)).toBe('bad');
  expect(judgeRequest({ ...result, tpotMs: null }, slo)).toBe('undetermined');
  expect(judgeRequest({ ...result, ttftMs: 900, tpotMs: null }, slo)).toBe('bad');
  expect(judgeRequest({ ...result, error: { class: 'timeout', message: '' } }, slo)).toBe('bad');
});

test('a wait before sending counts: no coordinated omission', () => {
  expect(judgeRequest({ ...result, scheduledMs: 0, sentMs: 200 }, parseSlo('ttft=500ms'))).toBe('bad');
});
