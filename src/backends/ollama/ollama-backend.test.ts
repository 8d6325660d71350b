import { afterEach, describe, expect, it } from 'vitest';
import { type FakeOllama, type FakeOllamaOptions, ndjson, ollamaJson, openFakeOllama } from '../../../test/servers/fake-ollama.ts';
import type { MockReply } from '../../../test/servers/mock-server.ts';
import { ToolError } from '../../core/errors.ts';
import { defaultGenerationSettings, type GenerateRequest } from '../../core/generation.ts';
import type { ModelFacts } from '../../core/model.ts';
import type { Backend, BackendOptions } from '../../core/ports/backend.ts';
import type { StreamFacts } from '../shared/stream-recorder.ts';
import { checkAvailable } from './check-available.ts';
import { tagsInOllama } from './describe-ollama.ts';
import { fullTag, pullOllamaModel } from './ollama-api.ts';
import { openOllamaBackend } from './ollama-backend.ts';
import { connectOllama, ollamaUrl } from './ollama-connection.ts';
import { isTruncated, leastTokens } from './prompt-truncation.ts';
import { gpuFraction } from './residency.ts';

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});
const tag = 'smollm2:135m';
const ask: GenerateRequest = { prompt: { kind: 'chat', messages: [{ role: 'user', content: 'q' }] }, settings: defaultGenerationSettings };

async function serve(options: Partial<FakeOllamaOptions> = {}): Promise<FakeOllama> {
  const server = await openFakeOllama({ models: [tag, 'phi3:mini'], answers: { q: 'an answer' }, ...options });
  cleanups.push(() => server.close());
  return server;
}

async function open(server: FakeOllama, options: BackendOptions = {}, name = tag, adaptive = true): Promise<Backend> {
  const model = { url: server.url, serverModel: name, facts: {} as ModelFacts };
  const backend = await openOllamaBackend(model, options, {
    server: { environment: {}, adaptive, patience: { firstPauseMs: 5 }, timeouts: { connectMs: 2000 } },
  });
  cleanups.push(() => backend.close().catch(() => {}));
  return backend;
}

/** A server whose answers to questions are given; loading and the rest work as usual. */
async function answering(reply: MockReply, adaptive = true): Promise<Backend> {
  const server = await serve({ intercept: (request) => (request.path === '/api/chat' ? reply : undefined) });
  return open(server, {}, tag, adaptive);
}

async function failure(work: Promise<unknown>): Promise<ToolError> {
  const thrown = await work.catch((error: unknown) => error);
  if (ToolError.isInstance(thrown)) return thrown;
  throw new Error(`no ToolError but ${JSON.stringify(thrown)}`);
}

describe('opening', () => {
  it('takes digest, size, quantisation and context from the server', async () => {
    const { model, identity, capabilities, load } = await open(await serve());
    expect(model).toMatchObject({
      digest: 'b179c9523d0e',
      digestKind: 'server',
      quantisation: 'Q4_1',
      parameters: 134_515_008,
      trainedContext: 8192,
      licence: 'Apache License',
    });
    expect(model.bitsPerWeight).toBeCloseTo(5.85, 2);
    expect(identity).toMatchObject({ kind: 'ollama', version: '0.17.4', settings: { contextTokens: 4096, gpuFraction: 0 } });
    expect(capabilities.score).toBe(false);
    expect(load.loadMs).toBeGreaterThan(0);
  });

  it('names the pull line and the nearest model where the model is missing (V01)', async () => {
    const { code, message, hint } = await failure(open(await serve(), {}, 'smolm2:135m'));
    expect([code, message]).toEqual(['not-found', 'Ollama has no model "smolm2:135m"']);
    expect(hint).toContain('ollama pull smolm2:135m');
    expect(hint).toContain('did you mean "smollm2:135m"?');
  });

  it('says how to start a server that does not run', async () => {
    const server = await serve();
    await server.close();
    const { code, message, hint } = await failure(open(server));
    expect([code, message.includes(`127.0.0.1:${server.port}`)]).toEqual(['transport', true]);
    expect(hint).toContain('ollama serve');
  });

  it('has the machine to itself: other models leave memory first, its own at the end, verified (R01)', async () => {
    const server = await serve();
    server.loaded.add('phi3:mini');
    const backend = await open(server);
    expect([...server.loaded]).toEqual([tag]);
    await backend.close();
    expect([...server.loaded]).toEqual([]);
    expect(backend.processesOutliveClose).toBe(true);
  });

  it('sets the context explicitly in loading and asking alike, so that nothing is loaded twice (P04)', async () => {
    const server = await serve();
    const backend = await open(server, { contextTokens: 1234, threads: 3 });
    await backend.generate(ask);
    const bodies = server.requests.filter(({ path }) => /chat|generate/u.test(path)).map(({ body }) => JSON.parse(body));
    expect(bodies.map((body) => [body.options?.num_ctx, body.options?.num_thread, body.keep_alive])).toEqual([
      [1234, 3, '30m'],
      [1234, 3, '30m'],
    ]);
    expect(bodies[1]).toMatchObject({ truncate: false, shift: false });
  });
});

describe('answers', () => {
  it('has text, counts and durations, absent ones as unknown', async () => {
    const { text, usage, timing, raw } = await (await open(await serve())).generate(ask);
    expect(text).toBe('an answer');
    expect(usage).toEqual({ promptTokens: 1, cachedTokens: null, completionTokens: 2, reasoningTokens: null, source: 'server' });
    expect(timing).toMatchObject({ prefillMs: 9, decodeMs: 30 });
    expect((raw as StreamFacts).serverTimings).toMatchObject({ load_duration: 1_000_000 });
    const bare = await answering(
      ndjson(
        { message: { content: 'x' }, done: false },
        { message: { content: '' }, done: true, done_reason: 'stop', eval_count: 1, eval_duration: 0 },
      ),
    );
    const second = await bare.generate(ask);
    expect(second.usage).toMatchObject({ promptTokens: null, completionTokens: 1 });
    expect(second.timing).toMatchObject({ prefillMs: null, decodeMs: null, tpotMs: null });
  });

  it('keeps cached tokens apart (L06)', async () => {
    const end = {
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 40,
      prompt_eval_cached_count: 32,
      prompt_eval_duration: 100_000_000,
      eval_count: 1,
    };
    const { usage, timing } = await (await answering(ndjson({ message: { content: 'x' } }, end))).generate(ask);
    expect(((usage.promptTokens! - usage.cachedTokens!) / timing.prefillMs!) * 1000).toBe(80);
  });

  it('does not pass on a prompt time that the clock refutes, unless others were waiting (L06)', async () => {
    const end = JSON.stringify({
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 8192,
      prompt_eval_duration: 60_000_000,
      eval_count: 1,
    });
    const reply = {
      pieces: [
        { atMs: 1100, bytes: '{"message":{"content":"x"}}\n' },
        { atMs: 1101, bytes: end },
      ],
    };
    const { timing, warnings } = await (await answering(reply)).generate(ask);
    expect(timing.prefillMs).toBeNull();
    expect(warnings[0]!.message).toMatch(/^server_prefill_time_inconsistent: .* about \d{4} tokens a second$/u);
    const busy = await answering(reply, false);
    const both = await Promise.all([busy.generate(ask), busy.generate(ask)]);
    expect(both[0]!.timing.prefillMs).toBe(60);
  });

  it('puts thinking on its own channel', async () => {
    const lines = [
      { message: { content: '', thinking: 'hm' } },
      { message: { content: 'B' } },
      { done: true, done_reason: 'stop', eval_count: 5 },
    ];
    expect(await (await answering(ndjson(...lines))).generate(ask)).toMatchObject({ text: 'B', reasoning: 'hm' });
  });

  it('reads lines wherever they are cut, and a last one without its end (V02)', async () => {
    const text = `${JSON.stringify({ message: { content: '€🙂' } })}\r\n\n${JSON.stringify({ done: true, done_reason: 'stop', eval_count: 2 })}`;
    const bytes = Buffer.from(text);
    const server = await serve({
      intercept: ({ path }) => (path === '/api/chat' ? { pieces: [...bytes].map((byte) => ({ bytes: Buffer.from([byte]) })) } : undefined),
    });
    expect(await (await open(server)).generate(ask)).toMatchObject({ text: '€🙂', finishReason: 'stop', usage: { completionTokens: 2 } });
  });

  it('asks plain text in raw mode, with no template around it', async () => {
    const server = await serve();
    await (await open(server)).generate({ ...ask, prompt: { kind: 'text', text: 'q' } });
    expect(JSON.parse(server.requests.at(-1)!.body)).toMatchObject({ prompt: 'q', raw: true });
    expect(server.requests.at(-1)!.path).toBe('/api/generate');
  });

  it('asks for thinking only where the model can, and warns', async () => {
    const server = await serve();
    const { warnings } = await (await open(server)).generate({ ...ask, settings: { ...ask.settings, thinking: 'on' } });
    expect(warnings).toMatchObject([{ kind: 'unsupported-setting', setting: 'thinking' }]);
    expect(JSON.parse(server.requests.at(-1)!.body)).not.toHaveProperty('think');
  });
});

describe('faults', () => {
  it('an error line after HTTP 200 fails the sample, with the partial text kept (V03)', async () => {
    const backend = await answering({ pieces: [{ bytes: '{"message":{"content":"half"}}\n{"error":"runner stopped"}' }] });
    expect(await failure(backend.generate(ask))).toMatchObject({
      code: 'backend',
      message: expect.stringContaining('runner stopped'),
      cause: { partialText: 'half' },
    });
  });

  it.each(['complete', 'cut', 'reset'] as const)('a stream that ends early (%s) is a transport fault', async (end) => {
    const backend = await answering({ pieces: [{ bytes: '{"message":{"content":"half"}}\n{"messa' }], end });
    expect(await failure(backend.generate(ask))).toMatchObject({ code: 'transport', isRetryable: true });
  });

  it('a web page is named', async () => {
    const backend = await answering({ pieces: [{ bytes: '<html><title>Portal</title></html>\n' }] });
    expect((await failure(backend.generate(ask))).message).toContain('a web page titled "Portal"');
  });

  it('a prompt that was cut in silence is an error, never an answer (P04)', async () => {
    const backend = await open(await serve({ truncatesSilently: true, answers: {} }), { contextTokens: 64 });
    const prompt = (words: number) => ({ ...ask, prompt: { kind: 'text', text: 'word '.repeat(words) } }) as const;
    expect(await failure(backend.generate(prompt(100)))).toMatchObject({ code: 'context-overflow' });
    const half = await answering(ndjson({ message: { content: 'x' } }, { done: true, done_reason: 'stop', prompt_eval_count: 2050 }));
    const long = { ...ask, prompt: { kind: 'chat', messages: [{ role: 'user', content: 'word '.repeat(4000) }] } } as const;
    expect(await failure(half.generate(long))).toMatchObject({
      code: 'context-overflow',
      message: expect.stringContaining('prompt_truncated'),
    });
  });

  it('a refusal of a long prompt by the server is the same error', async () => {
    const backend = await answering(ollamaJson({ error: 'the input length exceeds the context length' }, 400));
    expect((await failure(backend.generate(ask))).code).toBe('context-overflow');
  });

  it('a model that stays in memory is reported on closing', async () => {
    const server = await serve({ refusesToUnload: true });
    const backend = await open(server);
    const closing = backend.close();
    setTimeout(() => server.loaded.clear(), 300);
    await closing;
    expect(server.requests.filter(({ path }) => path === '/api/ps').length).toBeGreaterThan(3);
  });

  it('closing after the server died is no fault', async () => {
    const server = await serve();
    const backend = await open(server);
    await server.close();
    await backend.close();
  });
});

describe('availability and pulling', () => {
  const connect = (server: FakeOllama) => {
    const connection = connectOllama(server.url, {}, {});
    cleanups.push(() => connection.close());
    return connection;
  };

  it('answers as data, by whole names', async () => {
    const connection = connect(await serve({ models: ['phi3:mini', 'gemma2:latest'] }));
    expect(await checkAvailable(connection, 'PHI3:mini')).toMatchObject({ kind: 'available' });
    expect(await checkAvailable(connection, 'gemma2')).toMatchObject({ kind: 'available' });
    expect(await checkAvailable(connection, 'phi3')).toMatchObject({ kind: 'missing', pullCommand: 'ollama pull phi3' });
    const gone = await serve();
    await gone.close();
    expect(await checkAvailable(connect(gone), 'phi3')).toMatchObject({ kind: 'no-server', error: { code: 'transport' } });
  });

  it('says quickly what a server of this machine has, and nothing where none runs', async () => {
    const server = await serve();
    const has = await tagsInOllama({ OLLAMA_HOST: server.url });
    expect([has('phi3:mini'), has('phi3')]).toEqual([true, false]);
    await server.close();
    expect((await tagsInOllama({ OLLAMA_HOST: server.url }))('phi3:mini')).toBe(false);
    expect((await tagsInOllama({ OLLAMA_HOST: 'http://192.0.2.1:1' }))('phi3:mini')).toBe(false);
  });

  it('pulls with progress', async () => {
    const lines = [
      { status: 'pulling manifest' },
      { status: 'pulling 8c17', digest: 'sha256:8c17', total: 100, completed: 40 },
      { status: 'success' },
    ];
    const connection = connect(await serve({ intercept: ({ path }) => (path === '/api/pull' ? ndjson(...lines) : undefined) }));
    const seen: unknown[] = [];
    await pullOllamaModel(connection, 'phi3:mini', (progress) => seen.push(progress));
    expect(seen[1]).toEqual({ status: 'pulling 8c17', digest: 'sha256:8c17', doneBytes: 40, totalBytes: 100 });
  });

  it.each([
    [[{ status: 'pulling manifest' }, { error: 'pull model manifest: file does not exist' }], 'not-found'],
    [[{ status: 'pulling manifest' }, { error: 'dial tcp: i/o timeout' }], 'unavailable'],
    [[{ status: 'pulling manifest' }], 'unavailable'],
  ])('a pull that fails says so: %j', async (lines, code) => {
    const connection = connect(await serve({ intercept: ({ path }) => (path === '/api/pull' ? ndjson(...lines) : undefined) }));
    expect((await failure(pullOllamaModel(connection, 'phi9:mini'))).code).toBe(code);
  });
});

describe('small rules', () => {
  it.each([
    [undefined, {}, 'http://127.0.0.1:11434/'],
    [undefined, { OLLAMA_HOST: '0.0.0.0' }, 'http://127.0.0.1:11434/'],
    [undefined, { OLLAMA_HOST: '0.0.0.0:8080' }, 'http://127.0.0.1:8080/'],
    [undefined, { OLLAMA_HOST: ':1234' }, 'http://127.0.0.1:1234/'],
    [undefined, { OLLAMA_HOST: 'box.local' }, 'http://box.local:11434/'],
    [undefined, { OLLAMA_HOST: 'https://models.example/ollama' }, 'https://models.example/ollama'],
    ['http://localhost:9/', { OLLAMA_HOST: 'x' }, 'http://localhost:9/'],
  ])('address %j with %j', (url, environment, expected) => {
    expect(ollamaUrl(url, environment)).toBe(expected);
  });

  it('a tag without a version is latest, also with a registry and a port', () => {
    expect(['phi3', 'Phi3:Mini', 'host:5000/user/phi3'].map(fullTag)).toEqual(['phi3:latest', 'phi3:mini', 'host:5000/user/phi3:latest']);
  });

  it('truncation is told from cache hits and from short prompts', () => {
    const prompt = 'word '.repeat(7900);
    expect(leastTokens(prompt)).toBe(7900);
    expect(leastTokens('漢'.repeat(400))).toBe(100);
    expect(isTruncated({ prompt, promptTokens: 2050, contextTokens: 4096 })).toBe(true);
    expect(isTruncated({ prompt, promptTokens: 4096, contextTokens: 4096 })).toBe(true);
    expect(isTruncated({ prompt, promptTokens: 12, contextTokens: 4096 })).toBe(false);
    expect(isTruncated({ prompt, promptTokens: 8100, contextTokens: 8192 })).toBe(false);
    expect(isTruncated({ prompt, promptTokens: null, contextTokens: 4096 })).toBe(false);
  });

  it('the share on the GPU is null where it is not told', () => {
    expect(gpuFraction({ size: 9_000_000_000, size_vram: 6_000_000_000 })).toBeCloseTo(0.666667, 6);
    expect(gpuFraction({ size: 9, size_vram: null })).toBeNull();
    expect(gpuFraction({ size: 9, size_vram: 0 })).toBe(0);
  });
});
