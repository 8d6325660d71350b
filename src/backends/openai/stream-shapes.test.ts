// Every shape of stream that servers were seen to send, with the figures that are right for it.
import { afterEach, describe, expect, it } from 'vitest';
import { type MockReply, type MockServer, openMockServer } from '../../../test/servers/mock-server.ts';
import * as replies from '../../../test/servers/openai-replies.ts';
import { ToolError } from '../../core/errors.ts';
import { defaultGenerationSettings, type GenerateRequest, type Generation, noUsage } from '../../core/generation.ts';
import type { ModelFacts } from '../../core/model.ts';
import type { Backend } from '../../core/ports/backend.ts';
import { loadTestTuning, type ServerTuning } from '../shared/server-tuning.ts';
import type { StreamFacts } from '../shared/stream-recorder.ts';
import { openOpenaiBackend } from './openai-backend.ts';

const { content, cutAt, done, event, finish, json, role, stream, timed, usage } = replies;
const models = (owner = 'someone') => json({ object: 'list', data: [{ id: 'm', owned_by: owner }] });
const ask: GenerateRequest = {
  prompt: { kind: 'chat', messages: [{ role: 'user', content: 'q' }] },
  settings: { ...defaultGenerationSettings, maxTokens: 64 },
};
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

interface Opened {
  readonly backend: Backend;
  readonly server: MockServer;
}

async function open(reply: MockReply | ((call: number) => MockReply), tuning: ServerTuning = {}, owner?: string): Promise<Opened> {
  let calls = 0;
  const server = await openMockServer((request) => {
    if (request.path === '/v1/models') return models(owner);
    if (!request.path.endsWith('/completions')) return json({}, 404);
    return typeof reply === 'function' ? reply(calls++) : reply;
  });
  const patience = { retries: 3, firstPauseMs: 5 };
  const fast: ServerTuning = { environment: {}, probeScoring: false, patience, ...tuning };
  const backend = await openOpenaiBackend({ url: server.url, serverModel: 'm', facts: {} as ModelFacts }, {}, { server: fast });
  cleanups.push(
    () => backend.close(),
    () => server.close(),
  );
  return { backend, server };
}

async function answerTo(
  reply: MockReply,
  request: Partial<GenerateRequest> = {},
  tuning?: ServerTuning,
  owner?: string,
): Promise<Generation> {
  const { backend } = await open(reply, tuning, owner);
  return backend.generate({ ...ask, ...request });
}

async function failureOf(reply: MockReply | ((call: number) => MockReply), tuning?: ServerTuning): Promise<ToolError> {
  const { backend } = await open(reply, tuning);
  const thrown = await backend.generate(ask).catch((error: unknown) => error);
  if (ToolError.isInstance(thrown)) return thrown;
  throw thrown instanceof Error ? thrown : new Error(`resolved to ${JSON.stringify(thrown)}`);
}

/** Timers fire late on a busy machine, never early (a little by this clock); so only what is too early is wrong. */
function expectFrom(value: number | null, wantedMs: number): void {
  expect(value).toBeGreaterThanOrEqual(wantedMs - 3);
}

const factsOf = (generation: Generation) => generation.raw as StreamFacts;

describe('times', () => {
  it('an early role chunk is not the first token (L01, D1, D18)', async () => {
    const { timing, raw } = await answerTo(timed([20, role], [300, content('Hi')], [301, finish() + done]));
    expectFrom(timing.ttftMs, 300);
    expect(timing.tpotMs).toBeNull();
    expect((raw as StreamFacts).otherChunks).toMatchObject({ role: 1, finish: 1 });
  });

  it('comments and progress are not the first token', async () => {
    const { timing, raw } = await answerTo(
      timed([5, ': keep-alive\n\n'], [10, event({ choices: [], prompt_progress: { total: 4 } })], [90, content('x') + finish() + done]),
    );
    expectFrom(timing.ttftMs, 90);
    expect((raw as StreamFacts).otherChunks).toMatchObject({ comment: 1, progress: 1 });
  });

  it('an empty answer has no time to first token and no error', async () => {
    const { text, timing, usage: counts, finishReason } = await answerTo(stream(role, finish(), usage(0), done));
    expect([text, timing.ttftMs, timing.ttfaMs, timing.tpotMs, counts.completionTokens, finishReason]).toEqual([
      '',
      null,
      null,
      null,
      0,
      'stop',
    ]);
  });

  it.each(['reasoning_content', 'reasoning'])('%s is the first token but not the answer (L02)', async (field) => {
    const thought = event({ choices: [{ delta: { [field]: 'Okay' } }] });
    const { text, reasoning, timing } = await answerTo(timed([30, thought], [300, content('B')], [301, finish() + done]));
    expect([text, reasoning]).toEqual(['B', 'Okay']);
    expectFrom(timing.ttfaMs! - timing.ttftMs!, 150);
  });

  it('a budget spent on thinking has no time to first answer', async () => {
    const thought = event({ choices: [{ delta: { reasoning_content: 'Okay' } }] });
    const generation = await answerTo(stream(thought, finish('length'), done));
    expect(generation).toMatchObject({ text: '', reasoning: 'Okay', finishReason: 'length', timing: { ttfaMs: null } });
  });

  it('inline think tags put the answer after the closing tag, and stay in the text', async () => {
    const pieces = ['<th', 'ink>', 'a', '</thi', 'nk>', '\n\n'].map((text, index) => [10 + index, content(text)] as const);
    const { text, timing } = await answerTo(timed(...pieces, [300, content('B')], [301, finish() + done]));
    expect(text).toBe('<think>a</think>\n\nB');
    expectFrom(timing.ttfaMs! - timing.ttftMs!, 150);
  });

  it('the time to the last content leaves finish, usage and [DONE] out', async () => {
    const { timing, raw } = await answerTo(timed([10, content('a')], [40, content('b')], [400, finish()], [410, usage(2) + done]));
    expectFrom((raw as StreamFacts).endMs! - timing.totalMs!, 150);
  });

  it('two answers of one connection say that it was used again', async () => {
    const { backend, server } = await open(stream(content('a'), finish(), done));
    const first = await backend.generate(ask);
    const second = await backend.generate(ask);
    expect(factsOf(second).connectionReused).toBe(true);
    expect([factsOf(first).connectionReused, server.connections()]).toEqual([true, 1]);
  });

  it('a connection that the server closed is opened anew', async () => {
    const { backend } = await open({ ...stream(content('a'), finish(), done), end: 'close' });
    for (let round = 0; round < 3; round++) expect((await backend.generate(ask)).text).toBe('a');
    expect(factsOf(await backend.generate(ask)).connectionReused).toBe(false);
  });

  it('a server that goes quiet after [DONE] holds nothing up', async () => {
    const { backend } = await open({ ...stream(content('a'), finish(), done), end: 'hang' });
    const startMs = performance.now();
    const { raw } = await backend.generate(ask);
    expect(performance.now() - startMs).toBeLessThan(2000);
    expect((raw as StreamFacts).endMs).toBeLessThan(performance.now() - startMs - 90);
  });
});

describe('counts', () => {
  it('usage wins over chunks where a chunk holds several tokens (L03, D3, D10)', async () => {
    const pieces = Array.from({ length: 15 }, (_, index) => [20 + index * 5, content('four tokens in one')] as const);
    const { usage: counts, timing } = await answerTo(timed(...pieces, [100, finish() + usage(60, 7) + done]));
    expect(counts).toMatchObject({ completionTokens: 60, promptTokens: 7, source: 'server' });
    expect(timing.tpotMs).toBeCloseTo((timing.totalMs! - timing.ttftMs!) / 59, 9);
  });

  it('without usage, chunks are an estimate (L03)', async () => {
    const { usage: counts, warnings } = await answerTo(stream(...Array.from({ length: 15 }, () => content('x')), finish(), done));
    expect(counts).toEqual({ ...noUsage, completionTokens: 15, source: 'chunks' });
    expect(warnings.map(({ kind }) => kind)).toContain('estimate');
  });

  it('usage in every chunk is cumulative and gives tokens per chunk', async () => {
    const counted = (text: string, total: number) => content(text, { usage: { prompt_tokens: 5, completion_tokens: total } });
    const generation = await answerTo(stream(counted('abc', 3), counted('de', 5), finish(), usage(5, 5), done));
    expect(generation.usage).toMatchObject({ completionTokens: 5, promptTokens: 5 });
    expect(factsOf(generation)).toMatchObject({ firstChunkTokens: 3, chunkTokens: [3, 2] });
    expect(generation.timing.tpotMs).toBeCloseTo((generation.timing.totalMs! - generation.timing.ttftMs!) / 2, 9);
  });

  it('reasoning and cached tokens are read, and not added twice', async () => {
    const more = { completion_tokens_details: { reasoning_tokens: 38 }, prompt_tokens_details: { cached_tokens: 4 } };
    const { usage: counts } = await answerTo(stream(content('x'), finish(), usage(40, 10, more), done));
    expect(counts).toEqual({ promptTokens: 10, cachedTokens: 4, completionTokens: 40, reasoningTokens: 38, source: 'server' });
  });

  it('llama-server timings give prompt, cache and phases', async () => {
    const timings = { cache_n: 32, prompt_n: 8, prompt_ms: 100, predicted_n: 2, predicted_ms: 20, predicted_per_token_ms: 20 };
    const end = event({ choices: [{ delta: {}, finish_reason: 'stop' }], timings });
    const generation = await answerTo(stream(content('a'), content('b'), end, done), {}, {}, 'llamacpp');
    expect(generation.usage).toMatchObject({ promptTokens: 40, cachedTokens: 32 });
    expect(generation.timing).toMatchObject({ prefillMs: 100, decodeMs: 40 });
    expect(factsOf(generation).serverTimings).toMatchObject(timings);
  });

  it('usage is asked for, and left out for a server that refuses the question', async () => {
    const refusal = json({ error: { message: 'Unknown field: stream_options' } }, 400);
    const { backend, server } = await open((call) => (call === 0 ? refusal : stream(content('a'), finish(), done)));
    expect((await backend.generate(ask)).text).toBe('a');
    expect((await backend.generate(ask)).text).toBe('a');
    const bodies = server.requests.filter(({ method }) => method === 'POST').map(({ body }) => JSON.parse(body));
    expect(bodies.map((body) => body.stream_options)).toEqual([{ include_usage: true }, undefined, undefined]);
  });
});

describe('what the network does', () => {
  const text = '\ufeff: hi\r\n\r\n' + role + content('€🙂').replaceAll('\n', '\r\n') + content('é"}') + finish() + usage(2) + done;

  it('any cut gives the same answer', async () => {
    const bytes = Buffer.byteLength(text);
    const places = Array.from({ length: bytes - 1 }, (_, index) => index + 1);
    const { backend } = await open((call) => ({ pieces: cutAt(text, call === 0 ? places : [places[(call * 7) % places.length]!]) }));
    for (let round = 0; round < 60; round++) expect((await backend.generate(ask)).text).toBe('€🙂é"}');
  });

  it('a content delta may be a list of parts, or a completion text', async () => {
    const parts = event({
      choices: [
        {
          delta: {
            content: [
              { type: 'text', text: 'a' },
              { type: 'text', text: 'b' },
            ],
          },
        },
      ],
    });
    expect((await answerTo(stream(parts, finish(), done))).text).toBe('ab');
    const completion = event({ choices: [{ text: 'ab', finish_reason: 'length' }] });
    expect(await answerTo(stream(completion, done), { prompt: { kind: 'text', text: 'q' } })).toMatchObject({
      text: 'ab',
      finishReason: 'length',
    });
  });

  it('content in the chunk that also finishes counts', async () => {
    const last = event({ choices: [{ delta: { content: 'b' }, finish_reason: 'stop' }] });
    expect(await answerTo(stream(content('a'), last, done))).toMatchObject({ text: 'ab', finishReason: 'stop' });
  });

  it('a missing [DONE] is no fault once the answer has finished', async () => {
    const { text: answer, warnings } = await answerTo(stream(content('a'), finish()));
    expect([answer, warnings.some(({ message }) => message.includes('[DONE]'))]).toEqual(['a', true]);
  });

  it('a whole reply instead of a stream is read, with its inner times unknown', async () => {
    const whole = json({
      choices: [{ message: { role: 'assistant', content: 'all' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 3, completion_tokens: 1 },
    });
    const { text: answer, timing, usage: counts } = await answerTo(whole);
    expect([answer, counts.completionTokens, timing.ttftMs, timing.tpotMs]).toEqual(['all', 1, null, null]);
    expect(timing.totalMs).toBeGreaterThan(0);
  });

  it('the word error inside an answer is no error (V03)', async () => {
    expect((await answerTo(stream(content('{"error":"x"} is JSON'), finish(), done))).text).toBe('{"error":"x"} is JSON');
  });

  it.each([
    ['tool_calls', 'tool-call'],
    ['content_filter', 'content-filter'],
    ['length', 'length'],
    ['something new', 'unknown'],
  ])('finish_reason %s is %s', async (reason, expected) => {
    expect((await answerTo(stream(content('a'), finish(reason), done))).finishReason).toBe(expected);
  });

  it('a stop string that the server let through is cut off here', async () => {
    const settings = { ...ask.settings, stop: ['\n\n'] };
    const generation = await answerTo(stream(content('one\n'), content('\ntwo'), finish('length'), done), { settings });
    expect(generation).toMatchObject({ text: 'one', finishReason: 'stop-string' });
  });
});

describe('faults', () => {
  it.each([
    ['an error object', event({ error: { message: 'runner stopped', code: 500 } }), 'runner stopped'],
    ['a named error event', 'event: error\ndata: {"message":"oom"}\n\n', 'oom'],
    ['a named error event in plain text', 'event: error\ndata: out of memory\n\n', 'out of memory'],
    ['finish_reason error', event({ choices: [{ delta: { content: '' }, finish_reason: 'error' }] }), 'finish_reason'],
  ])('%s after HTTP 200 fails the sample, with the partial text kept (V03)', async (_name, bytes, said) => {
    const error = await failureOf(stream(content('half an ans'), bytes, done));
    expect(error).toMatchObject({ code: 'backend', isRetryable: false, cause: { partialText: 'half an ans' } });
    expect(error.message).toContain(said);
  });

  it.each(['complete', 'cut', 'reset'] as const)(
    'a stream that ends early (%s) is a transport fault, never a short answer',
    async (end) => {
      const error = await failureOf({ ...stream(content('half an ans'), 'data: {"choices":[{"de'), end });
      expect(error).toMatchObject({ code: 'transport', isRetryable: true });
    },
  );

  it('an idle connection that the server closed meanwhile is no failure, not even of a load test', async () => {
    let calls = 0;
    const server = await openMockServer((request) => {
      if (request.path === '/v1/models') return models();
      // Requests on a used connection meet its end, as when the keep-alive time of a server runs out.
      if (request.indexOnConnection > 0) return { pieces: [], end: 'reset' };
      calls++;
      return stream(content('a'), finish(), done);
    });
    const backend = await openOpenaiBackend(
      { url: server.url, serverModel: 'm', facts: {} as ModelFacts },
      {},
      { server: { ...loadTestTuning, environment: {} } },
    );
    cleanups.push(
      () => backend.close(),
      () => server.close(),
    );
    for (let round = 0; round < 3; round++) expect((await backend.generate(ask)).text).toBe('a');
    expect(calls).toBe(3);
  });

  it('a load test counts a reset of a fresh connection as what it is', async () => {
    const { backend } = await open({ pieces: [], end: 'reset' }, { patience: { retries: 0 } });
    await backend.generate(ask).catch(() => {});
    await expect(backend.generate(ask)).rejects.toMatchObject({ code: 'transport' });
  });

  it('a reset before any content is tried again', async () => {
    const { backend, server } = await open((call) => (call < 2 ? { pieces: [], end: 'reset' } : stream(content('a'), finish(), done)));
    expect((await backend.generate(ask)).text).toBe('a');
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(3);
  });

  it.each([429, 503])('HTTP %i is tried again after the time that the server names', async (status) => {
    const busy = json({ error: { message: 'slow down' } }, status, { 'retry-after': '0.2' });
    const { backend } = await open((call) => (call === 0 ? busy : stream(content('a'), finish(), done)));
    const startMs = performance.now();
    expect((await backend.generate(ask)).text).toBe('a');
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(195);
  });

  it('HTTP 500 is final (V01)', async () => {
    const { backend, server } = await open(json({ error: 'the runner\u0000 has \u001b[31mcrashed' }, 500));
    const error = await backend.generate(ask).catch((thrown: unknown) => thrown as ToolError);
    expect(error).toMatchObject({ code: 'backend' });
    expect((error as ToolError).message).toMatch(/the runner +has +\[31mcrashed/u);
    expect(server.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  it.each([
    ["This model's maximum context length is 4096 tokens. However, you requested 5000", 400],
    ['the request exceeds the available context size. try increasing the context size', 400],
    ['input is too long: exceed_context_size_error', 500],
  ])('a prompt that does not fit is known by: %s', async (message, status) => {
    expect((await failureOf(json({ error: { message } }, status))).code).toBe('context-overflow');
  });

  it('a stall ends with a time-out, before and after the first content', async () => {
    const timeouts = { firstContentMs: 80, stallMs: 80 };
    expect(await failureOf({ ...stream(role, ': ping\n\n'), end: 'hang' }, { timeouts })).toMatchObject({ code: 'timeout' });
    const late = await failureOf({ ...stream(content('a')), end: 'hang' }, { timeouts });
    expect(late).toMatchObject({ code: 'timeout', message: 'the stream stalled: no content for 80 ms' });
  });

  it('a slow drip of comments does not keep a stalled answer alive', async () => {
    const drip = Array.from({ length: 30 }, (_, index) => [20 + index * 20, ': ping\n\n'] as const);
    const error = await failureOf(timed([0, content('a')], ...drip, [700, finish() + done]), { timeouts: { stallMs: 150 } });
    expect(error.message).toContain('stalled');
  });

  it('a slow answer within its time-outs is waited for', async () => {
    const drip = Array.from({ length: 8 }, (_, index) => [index * 60, content('a')] as const);
    const generation = await answerTo(timed(...drip, [480, finish() + done]), {}, { timeouts: { firstContentMs: 300, stallMs: 300 } });
    expect(generation.text).toBe('aaaaaaaa');
  });

  it('an answer that goes on without end is cut off', async () => {
    const settings = { ...ask.settings, maxTokens: 2 };
    const { backend } = await open(stream(content('x').repeat(400)));
    await expect(backend.generate({ ...ask, settings })).rejects.toThrow('ignores the limit');
  });

  it('a line of ten megabytes is refused', async () => {
    const error = await failureOf(stream(`data: "${'x'.repeat(10 * 2 ** 20)}"\n\n`));
    expect(error.message).toContain('line of more than 8 MiB');
  });

  it('an event that is no JSON is shown in part', async () => {
    const error = await failureOf(stream(`data: ${'nonsense '.repeat(200)}\n\n`));
    expect(error.message).toContain('not JSON: nonsense');
    expect(error.message.length).toBeLessThan(450);
  });

  it('a web page in place of a stream is named', async () => {
    const page = { headers: { 'content-type': 'text/html' }, pieces: [{ bytes: '<!doctype html><title>Sign in</title>' }] };
    expect((await failureOf(page)).message).toContain('a web page titled "Sign in", not JSON');
  });

  it('an empty body is named', async () => {
    expect((await failureOf({ pieces: [] })).message).toContain('but with nothing');
  });
});
