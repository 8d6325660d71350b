import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadRates } from './load-rates.ts';
import { RequestLog, type RequestResult } from './request-log.ts';
import { findSteadyWindow } from './steady-window.ts';

const microseconds = (ms: number): number => Math.round(ms * 1000) / 1000;

function answer(index: number, sentMs: number, endedMs: number): RequestResult {
  return {
    index,
    rep: 0,
    promptDigest: 'p',
    scheduledMs: sentMs,
    sentMs,
    endedMs,
    ttftMs: 1,
    ttfaMs: 1,
    e2eMs: endedMs - sentMs,
    queuedMs: 0,
    tpotMs: 1,
    prefillMs: null,
    promptTokens: 4,
    cachedTokens: 0,
    outputTokens: 2,
    reasoningTokens: null,
    countSource: 'server',
    finishReason: 'stop',
    gapsMs: new Float32Array(0),
    error: null,
  } as unknown as RequestResult;
}

test('times written in microseconds lose no request at the edges of the window', () => {
  const time = fc.double({ min: 0, max: 1000, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(time, time), { minLength: 1, maxLength: 12 }), (spans) => {
      const log = new RequestLog();
      const ends = spans.map(([sent, takes]) => sent + takes);
      for (const [index, [sentMs]] of spans.entries()) log.add(answer(index, sentMs, ends[index]!));
      const loadedUntilMs = Math.max(...spans.map(([sent]) => sent));
      const window = findSteadyWindow(
        { log, durationMs: Math.max(...ends), loadedUntilMs, rampedMs: 0 },
        { kind: 'concurrency', users: 1 },
      );
      const written = log.results().map((one) => ({ ...one, sentMs: microseconds(one.sentMs), endedMs: microseconds(one.endedMs) }));
      const { requestRate } = loadRates([{ window, all: written }], null);
      const seconds = (window.toMs - window.fromMs) / 1000;
      if (seconds > 0) expect(requestRate!.value! * seconds).toBeCloseTo(spans.length, 6);
    }),
  );
});
