import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createStopGuard } from './stop-guard.ts';
import { createStreamRecorder, type FinishInput, type StreamFacts } from './stream-recorder.ts';
import { createThinkingClock } from './thinking-clock.ts';

const ended: FinishInput = {
  finishReason: 'stop',
  calledAtMs: 990,
  sentAtMs: 1000,
  headersAtMs: 1001,
  endAtMs: 3000,
  httpStatus: 200,
  connectionReused: true,
  isStreamed: true,
};
const record = (stops: readonly string[] = []) => createStreamRecorder({ stops, sentAtMs: () => 1000 });
const counts = { promptTokens: null, cachedTokens: null, completionTokens: null, reasoningTokens: null };

describe('stream recorder', () => {
  it('measures from hand-over to content, and the wait before apart', () => {
    const recorder = record();
    expect(recorder.chunk(1050, '')).toBe(false);
    recorder.chunk(1300, 'Hi');
    recorder.counts({ ...counts, completionTokens: 1 });
    const { timing, chunkGapsMs } = recorder.finish(ended);
    expect(timing).toEqual({ queuedMs: 10, ttftMs: 300, ttfaMs: 300, totalMs: 300, tpotMs: null });
    expect(chunkGapsMs).toEqual([]);
  });

  it('has no time per token for one chunk, also where the end marker counts as a token', () => {
    const recorder = record();
    recorder.chunk(1300, 'Hi');
    recorder.counts({ ...counts, completionTokens: 2 });
    expect(recorder.finish(ended).timing.tpotMs).toBeNull();
  });

  it('says null, not 0, where nothing came', () => {
    const recorder = record();
    recorder.counts({ ...counts, completionTokens: 0 });
    const { timing, usage, text } = recorder.finish(ended);
    expect([text, timing.ttftMs, timing.ttfaMs, timing.tpotMs, usage.completionTokens]).toEqual(['', null, null, null, 0]);
  });

  it('keeps time to first token and time to first answer apart', () => {
    const recorder = record();
    recorder.chunk(1300, '', 'Okay');
    recorder.chunk(1320, '', ' so');
    recorder.chunk(1900, 'B');
    const { timing, text, reasoning } = recorder.finish(ended);
    expect([timing.ttftMs, timing.ttfaMs, text, reasoning]).toEqual([300, 900, 'B', 'Okay so']);
  });

  it('has no time to first answer when all of the budget went into thinking', () => {
    for (const chunks of [[['', 'Okay']], [['<think>hm', '']], [['<think>hm</think>\n ', '']]] as const) {
      const recorder = record();
      for (const [text, reasoning] of chunks) recorder.chunk(1300, text, reasoning);
      expect(recorder.finish({ ...ended, finishReason: 'length' }).timing).toMatchObject({ ttftMs: 300, ttfaMs: null });
    }
  });

  it('divides by tokens of the usage, not by chunks', () => {
    const recorder = record();
    for (let chunk = 0; chunk < 15; chunk++) recorder.chunk(1500 + chunk * (1500 / 14), 'abcd');
    recorder.counts({ ...counts, completionTokens: 60 });
    const { timing, usage } = recorder.finish(ended);
    expect(usage).toMatchObject({ completionTokens: 60, source: 'server' });
    expect(1000 / timing.tpotMs!).toBeCloseTo(39.333333, 5);
  });

  it('counts chunks only as an estimate that is marked', () => {
    const recorder = record();
    for (let chunk = 0; chunk < 15; chunk++) recorder.chunk(1500 + chunk, 'x');
    const { usage, warnings } = recorder.finish(ended);
    expect(usage).toMatchObject({ completionTokens: 15, source: 'chunks' });
    expect(warnings.map((warning) => warning.kind)).toEqual(['estimate']);
  });

  it('takes bundled first tokens out of the time per token where the server counts per chunk', () => {
    const recorder = record();
    for (const [index, total] of [8, 12, 16].entries()) {
      recorder.chunk(1100 + 100 * index, 'x');
      recorder.chunkCount(total);
    }
    const generation = recorder.finish(ended);
    expect(generation.timing.tpotMs).toBe(200 / 8);
    expect(generation.usage).toMatchObject({ completionTokens: 16, source: 'server' });
    expect(generation.raw as StreamFacts).toMatchObject({ firstChunkTokens: 8, chunkTokens: [8, 4, 4], countsSource: 'chunk-usage' });
  });

  it('does not share out counts that came with some chunks only', () => {
    const recorder = record();
    recorder.chunk(1100, 'x');
    recorder.chunk(1200, 'y');
    recorder.chunkCount(20);
    recorder.counts({ ...counts, completionTokens: 20 });
    const generation = recorder.finish(ended);
    expect(generation.raw as StreamFacts).toMatchObject({ firstChunkTokens: null, chunkTokens: null });
    expect(generation.timing.tpotMs).toBe(100 / 19);
  });

  it('knows no times inside an answer that was not streamed', () => {
    const recorder = record();
    recorder.chunk(2900, 'all of it');
    expect(recorder.finish({ ...ended, isStreamed: false }).timing).toMatchObject({
      ttftMs: null,
      ttfaMs: null,
      tpotMs: null,
      totalMs: 2000,
    });
  });

  it('keeps tool fragments as content of the answer channel', () => {
    const recorder = record();
    recorder.chunk(1200, '', '', 'get_weather{"city":');
    recorder.chunk(1300, '', '', '"Oslo"}');
    const generation = recorder.finish({ ...ended, finishReason: 'tool-call' });
    expect(generation.timing).toMatchObject({ ttftMs: 200, ttfaMs: 200, totalMs: 300 });
    expect(generation.raw as StreamFacts).toMatchObject({ toolCalls: 'get_weather{"city":"Oslo"}', contentChunks: 2 });
  });

  it('takes a count of 0 beside text for a server that does not count', () => {
    const recorder = record();
    recorder.chunk(1200, 'text');
    recorder.counts({ ...counts, completionTokens: 0 });
    expect(recorder.finish(ended).usage).toMatchObject({ completionTokens: 1, source: 'chunks' });
  });

  it('keeps figures that only an earlier chunk had', () => {
    const recorder = record();
    recorder.chunk(1200, 'a');
    recorder.counts({ ...counts, promptTokens: 40, cachedTokens: 32 });
    recorder.counts({ ...counts, completionTokens: 1 });
    recorder.timings({ prompt_ms: 100 }, 100, null);
    const { usage, timing } = recorder.finish(ended);
    expect(usage).toMatchObject({ promptTokens: 40, cachedTokens: 32, completionTokens: 1 });
    expect(timing).toMatchObject({ prefillMs: 100, decodeMs: null });
  });
});

describe('thinking clock', () => {
  it.each([
    ['Hello', 'Hello'],
    ['<think>a</think>\n\nB', 'B'],
    ['  <think>a</think>B', 'B'],
    ['<thinking>a</thinking> B', 'B'],
    ['<think></think><think>x</think>C', 'C'],
    ['<thin air', '<thin a'],
    ['<think>never closed', null],
    ['<think>a</think>  \n', null],
    ['', null],
  ])('finds the answer of %j', (text, answerStart) => {
    const clock = createThinkingClock();
    let found: string | null = null;
    for (let end = 1; end <= text.length && found === null; end++) if (clock.push(text[end - 1]!)) found = text.slice(0, end);
    expect(found === null ? null : true).toBe(answerStart === null ? null : true);
    if (answerStart !== null && answerStart.length === 1) expect(found!.endsWith(answerStart)).toBe(true);
    const whole = createThinkingClock();
    expect(whole.push(text)).toBe(answerStart !== null);
  });
});

describe('stop guard', () => {
  it('shows exactly the text before the first stop, however it is cut', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 30 });
    const stop = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(text, fc.array(stop, { maxLength: 3 }), fc.array(fc.nat(30)), (whole, stops, cuts) => {
        const guard = createStopGuard(stops);
        const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((left, right) => left - right), whole.length];
        let shown = '';
        for (const [index, place] of places.slice(1).entries()) shown += guard.push(whole.slice(places[index]!, place));
        shown += guard.flush();
        const ends = stops.map((one) => whole.indexOf(one)).filter((at) => at >= 0);
        // A stop that is complete first in the stream wins: that is the one that ends first.
        const firstEnd = Math.min(
          ...stops.map((one) => whole.indexOf(one) + one.length).filter((_end, index) => whole.includes(stops[index]!)),
        );
        if (ends.length === 0) expect(shown).toBe(whole);
        else {
          expect(guard.found()).toBe(true);
          expect(whole.startsWith(shown)).toBe(true);
          expect(shown.length).toBeLessThanOrEqual(firstEnd - 1);
          expect(stops.every((one) => !shown.includes(one))).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });
});
