// The behaviour that every backend must show, whatever runs behind it. Each adapter calls this with a model whose answers are known.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ToolError } from '../../src/core/errors.ts';
import {
  defaultGenerationSettings,
  finishReasons,
  type GenerateRequest,
  type Generation,
  type RollingRequest,
  type ScoreRequest,
  type StreamPart,
  timingSchema,
  usageSchema,
} from '../../src/core/generation.ts';
import { modelFactsSchema } from '../../src/core/model.ts';
import type { Backend } from '../../src/core/ports/backend.ts';
import type { Prompt } from '../../src/core/prompt.ts';

export interface KnownAnswer {
  readonly prompt: Prompt;
  readonly text: string;
}

/** What the opened model is known to do. Parts that a backend cannot do are left out: then it must refuse them. */
export interface BackendExpectations {
  /** A greedy answer that ends by itself within 64 tokens. */
  readonly answer: KnownAnswer;
  /** A greedy answer of more than 64 tokens; `text` is how it starts. */
  readonly endless: KnownAnswer;
  /** A string inside `answer.text`. */
  readonly stop: string;
  /** `stop` for servers that end with the same word at a stop string and at the end of the turn. @default 'stop-string' */
  readonly stopReason?: 'stop' | 'stop-string' | undefined;
  readonly scores?: { readonly request: ScoreRequest; readonly logprobs: readonly number[]; readonly tolerance: number } | undefined;
  readonly rolling?:
    | { readonly request: RollingRequest; readonly logprob: number; readonly tokens: number; readonly tolerance: number }
    | undefined;
  /** A prompt and the exact token ids it becomes. */
  readonly rendered?: readonly { readonly prompt: Prompt; readonly tokens: readonly number[] }[] | undefined;
  /** A prompt longer than the context. */
  readonly overflow: Prompt;
}

const ask = (prompt: Prompt, settings: Partial<GenerateRequest['settings']> = {}): GenerateRequest => ({
  prompt,
  settings: { ...defaultGenerationSettings, maxTokens: 64, ...settings },
});

/** The error of a rejected promise, which must be a ToolError. */
export async function toolErrorOf(work: Promise<unknown>): Promise<ToolError> {
  const thrown = await work.then(
    (value) => new Error(`resolved to ${JSON.stringify(value)?.slice(0, 200)}`),
    (error: unknown) => error,
  );
  if (ToolError.isInstance(thrown)) return thrown;
  throw thrown;
}

/** Declares the suite. `open` is called a few times; each backend is closed again. */
export function describeBackendContract(name: string, open: () => Promise<Backend>, expectations: BackendExpectations): void {
  describe(`backend contract: ${name}`, () => {
    let backend: Backend;
    beforeAll(async () => {
      backend = await open();
    });
    afterAll(async () => {
      await backend?.close();
    });
    const current = () => backend;
    describeFacts(current);
    describeGeneration(current, expectations);
    describeStreams(current, expectations);
    describeCancellation(current, expectations);
    describeScores(current, expectations);
    describeRendering(current, expectations);
    describeHonesty(current, expectations);
    describeClosing(open, expectations);
  });
}

function describeFacts(backend: () => Backend): void {
  it('says what it is, in values that JSON can hold', () => {
    const { identity, model, capabilities, load } = backend();
    expect(backend().specificationVersion).toBe('v1');
    expect(identity.name).not.toBe('');
    expect(modelFactsSchema.safeParse(model).error).toBeUndefined();
    expect(JSON.parse(JSON.stringify(identity))).toEqual(identity);
    for (const value of Object.values(identity.settings)) expect(typeof value === 'number' ? Number.isFinite(value) : true).toBe(true);
    expect(capabilities.preferredConcurrency.generate).toBeGreaterThanOrEqual(1);
    expect(capabilities.preferredConcurrency.score).toBeGreaterThanOrEqual(1);
    expect(load.loadMs === null || load.loadMs >= 0).toBe(true);
    expect(
      backend()
        .processIds()
        .every((id) => Number.isInteger(id) && id > 0),
    ).toBe(true);
  });
}

function describeGeneration(backend: () => Backend, { answer, endless, stop, stopReason = 'stop-string' }: BackendExpectations): void {
  it('gives the known answer, again and again, with counts and times that fit together', async () => {
    for (let round = 0; round < 2; round++) {
      const generation = await backend().generate(ask(answer.prompt));
      expect(generation.text).toBe(answer.text);
      expect(generation.finishReason).toBe('stop');
      expectConsistent(generation);
    }
  });

  it('stops at the token limit and says so', async () => {
    const generation = await backend().generate(ask(endless.prompt, { maxTokens: 5 }));
    expect(generation.finishReason).toBe('length');
    expect(generation.usage.completionTokens ?? 0).toBeLessThanOrEqual(5);
    expect(endless.text.startsWith(generation.text) || generation.text.startsWith(endless.text)).toBe(true);
    expectConsistent(generation);
  });

  it('stops before a stop string and says so', async () => {
    const generation = await backend().generate(ask(answer.prompt, { stop: ['\u0000never\u0000', stop] }));
    expect(generation.text).toBe(answer.text.slice(0, answer.text.indexOf(stop)));
    expect(generation.finishReason).toBe(stopReason);
    expectConsistent(generation);
  });

  it('answers many requests at once as it answers one', async () => {
    const alone = [await backend().generate(ask(answer.prompt)), await backend().generate(ask(endless.prompt, { maxTokens: 12 }))];
    const together = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        backend().generate(index % 2 === 0 ? ask(answer.prompt) : ask(endless.prompt, { maxTokens: 12 })),
      ),
    );
    expect(together.map(({ text, finishReason }) => ({ text, finishReason }))).toEqual(
      together.map((_, index) => ({ text: alone[index % 2]!.text, finishReason: alone[index % 2]!.finishReason })),
    );
  });
}

function expectConsistent({ finishReason, usage, timing, text, reasoning }: Generation): void {
  expect(finishReasons).toContain(finishReason);
  expect(usageSchema.safeParse(usage).error).toBeUndefined();
  expect(timingSchema.safeParse(timing).error).toBeUndefined();
  const { promptTokens, cachedTokens, completionTokens, reasoningTokens } = usage;
  if (promptTokens === null || completionTokens === null) {
    expect(usage.source === 'none' || usage.source === 'chunks' || usage.source === 'server').toBe(true);
  } else {
    expect(promptTokens).toBeGreaterThan(0);
    expect(cachedTokens ?? 0).toBeLessThanOrEqual(promptTokens);
    expect(reasoningTokens ?? 0).toBeLessThanOrEqual(completionTokens);
    if (text !== '' || (reasoning ?? '') !== '') expect(completionTokens).toBeGreaterThan(0);
  }
  const { ttftMs, ttfaMs, totalMs, tpotMs } = timing;
  expect(totalMs ?? 0).toBeGreaterThanOrEqual(ttfaMs ?? ttftMs ?? 0);
  expect(ttfaMs ?? Number.POSITIVE_INFINITY).toBeGreaterThanOrEqual(ttftMs ?? 0);
  expect(tpotMs ?? 0).toBeGreaterThanOrEqual(0);
  if (text !== '') expect(ttftMs).not.toBeNull();
}

function describeStreams(backend: () => Backend, { answer }: BackendExpectations): void {
  it('streams parts in order, then exactly one finish that holds the whole answer', async () => {
    if (!backend().capabilities.stream) return;
    const parts: StreamPart[] = [];
    const generation = await backend().generate(ask(answer.prompt), { onPart: (part) => parts.push(part) });
    expect(parts.at(-1)).toEqual({ kind: 'finish', generation });
    expect(parts.filter((part) => part.kind === 'finish')).toHaveLength(1);
    const texts = parts.filter((part) => part.kind === 'text');
    expect(texts.map((part) => part.text).join('')).toBe(generation.text);
    expect(texts.every((part) => part.text !== '')).toBe(true);
    const times = parts.flatMap((part) => (part.kind === 'finish' ? [] : [part.timeMs]));
    expect(times).toEqual([...times].sort((left, right) => left - right));
  });

  it('never shows a part of a stop string', async () => {
    if (!backend().capabilities.stream) return;
    const stop = answer.text.slice(1, 3);
    const parts: string[] = [];
    await backend().generate(ask(answer.prompt, { stop: [stop] }), { onPart: (part) => part.kind === 'text' && parts.push(part.text) });
    expect(parts.join('')).toBe(answer.text.slice(0, answer.text.indexOf(stop)));
  });
}

function describeCancellation(backend: () => Backend, { answer, endless }: BackendExpectations): void {
  it('rejects a cancelled request and goes on working', async () => {
    const before = new AbortController();
    before.abort();
    expect((await toolErrorOf(backend().generate(ask(answer.prompt), { signal: before.signal }))).code).toBe('interrupted');
    const during = new AbortController();
    const running = backend().generate(ask(endless.prompt, { maxTokens: 100_000 }), {
      signal: during.signal,
      onPart: () => during.abort(),
    });
    await running.then(
      // A backend that had finished already may answer.
      () => undefined,
      (thrown: unknown) => expect(ToolError.isInstance(thrown) && ['interrupted', 'context-overflow'].includes(thrown.code)).toBe(true),
    );
    expect((await backend().generate(ask(answer.prompt))).text).toBe(answer.text);
  });
}

function describeScores(backend: () => Backend, { scores, rolling }: BackendExpectations): void {
  if (scores !== undefined)
    it('scores continuations as known, in their order, alone and together', async () => {
      const { request, logprobs, tolerance } = scores;
      const [result, ...others] = await Promise.all([1, 2, 3].map(() => backend().score(request)));
      expectClose(
        result!.choices.map((choice) => choice.logprob),
        logprobs,
        tolerance,
      );
      for (const other of others) {
        expectClose(
          other.choices.map((choice) => choice.logprob),
          logprobs,
          tolerance,
        );
      }
      for (const { logprob, tokens, tokenLogprobs } of result!.choices) {
        expect(tokens).toBeGreaterThan(0);
        if (tokenLogprobs === undefined) continue;
        expect(tokenLogprobs).toHaveLength(tokens);
        expect(tokenLogprobs.reduce((sum, value) => sum + value, 0)).toBeCloseTo(logprob, 9);
      }
      const alone = await backend().score({ prompt: request.prompt, choices: [request.choices.at(-1)!] });
      expectClose([alone.choices[0]!.logprob], [logprobs.at(-1)!], tolerance);
      expect(usageSchema.safeParse(result!.usage).error).toBeUndefined();
      expect(timingSchema.safeParse(result!.timing).error).toBeUndefined();
    });

  if (rolling !== undefined)
    it('rolls over a text with the known sum', async () => {
      const { request, logprob, tokens, tolerance } = rolling;
      const result = await backend().rolling(request);
      expect(result.tokens).toBe(tokens);
      expectClose([result.logprob], [logprob], tolerance * tokens);
    });
}

function expectClose(values: readonly number[], expected: readonly number[], tolerance: number): void {
  expect(values).toHaveLength(expected.length);
  for (const [index, value] of values.entries()) {
    expect(Math.abs(value - expected[index]!), `value ${index}: ${value}, expected ${expected[index]}`).toBeLessThanOrEqual(tolerance);
  }
}

function describeRendering(backend: () => Backend, { rendered = [], answer }: BackendExpectations): void {
  it('shows what it sends', async () => {
    const { text, tokens, pieces } = await backend().render(answer.prompt);
    expect(text).not.toBe('');
    expect(tokens === undefined).toBe(!backend().capabilities.tokenize);
    if (pieces !== undefined) expect(pieces).toHaveLength(tokens!.length);
  });

  it.each(rendered.map((item, index) => [index, item] as const))(
    'renders prompt %i to the known tokens',
    async (_index, { prompt, tokens }) => {
      expect((await backend().render(prompt)).tokens).toEqual(tokens);
    },
  );
}

function describeHonesty(backend: () => Backend, { answer, overflow, scores, rolling }: BackendExpectations): void {
  const text = { kind: 'text', text: 'a' } as const;
  const calls: Record<string, () => Promise<unknown>> = {
    score: () => backend().score(scores?.request ?? { prompt: text, choices: [{ continuation: 'b' }] }),
    rolling: () => backend().rolling(rolling?.request ?? { text: 'ab', windowing: 'lm-eval' }),
    bench: () => backend().bench({ promptTokens: 8, generatedTokens: 2, depth: 0, repetitions: 1 }),
    jsonSchema: () =>
      backend().generate({
        ...ask(answer.prompt),
        jsonSchema: { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] },
      }),
  };

  it.each(Object.entries(calls))('does %s, or refuses it as unsupported, as its capabilities say', async (capability, call) => {
    if (backend().capabilities[capability as 'score']) await expect(call()).resolves.toBeDefined();
    else expect((await toolErrorOf(call())).code).toBe('unsupported');
  });

  it('claims scores and rolling exactly when they were checked', () => {
    expect(backend().capabilities.score).toBe(scores !== undefined);
    expect(backend().capabilities.rolling).toBe(rolling !== undefined);
  });

  it('refuses a prompt longer than the context, and goes on working', async () => {
    expect((await toolErrorOf(backend().generate(ask(overflow)))).code).toBe('context-overflow');
    expect((await backend().generate(ask(answer.prompt))).text).toBe(answer.text);
  });
}

function describeClosing(open: () => Promise<Backend>, { answer, endless }: BackendExpectations): void {
  it('closes once and for all, also with a request in flight', async () => {
    const backend = await open();
    const running = backend.generate(ask(endless.prompt, { maxTokens: 2000 })).then(
      () => true,
      (thrown: unknown) => ToolError.isInstance(thrown),
    );
    await Promise.all([backend.close(), backend.close()]);
    await backend.close();
    expect(await running).toBe(true);
    expect(ToolError.isInstance(await toolErrorOf(backend.generate(ask(answer.prompt))))).toBe(true);
    expect(backend.processIds()).toEqual([]);
  });
}
