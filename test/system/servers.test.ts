// A real llama-server: its own counters agree with ours, its answers with the embedded engine's, and its death loses nothing.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { evaluate } from '../../src/app/evaluate.ts';
import { readServerTotals } from '../../src/backends/openai/read-server-totals.ts';
import { openBackend } from '../../src/backends/registry.ts';
import { resolveModel } from '../../src/backends/resolve-model.ts';
import { loadTestTuning } from '../../src/backends/shared/server-tuning.ts';
import type { StreamFacts } from '../../src/backends/shared/stream-recorder.ts';
import { defaultGenerationSettings, type Generation, type GenerationSettings } from '../../src/core/generation.ts';
import type { Backend } from '../../src/core/ports/backend.ts';
import type { Prompt } from '../../src/core/prompt.ts';
import { cacheRoot } from '../../src/sources/cache-root.ts';
import { findLlamaServer, type RunningServer, startLlamaServer } from '../servers/llama-server.ts';

const program = findLlamaServer();
const sources = { cacheDirectory: cacheRoot(), offline: false };
const chat = (content: string): Prompt => ({ kind: 'chat', messages: [{ role: 'user', content }] });

describe.skipIf(program === null)('llama-server', () => {
  let server: RunningServer;
  let folder = '';
  beforeAll(async () => {
    server = await startLlamaServer(program!);
    folder = await mkdtemp(join(tmpdir(), 'slmbench-servers-'));
  });
  afterAll(async () => {
    await server?.stop();
    await rm(folder, { recursive: true, force: true });
  });
  const reference = () => `openai:${server.model}@${server.url}/v1`;
  const open = async (extraBody: Readonly<Record<string, unknown>> = {}): Promise<Backend> =>
    openBackend(await resolveModel(reference(), sources), {}, { server: { ...loadTestTuning, extraBody } });
  const ask = (backend: Backend, prompt: Prompt, settings: Partial<GenerationSettings>): Promise<Generation> =>
    backend.generate({ prompt, settings: { ...defaultGenerationSettings, ...settings } });

  it('is known by name, build, context and process', async () => {
    const backend = await open();
    expect(backend.identity).toMatchObject({
      name: 'llama-server',
      settings: { server: 'llama-server', contextTokens: 2048, slots: 2, scoring: 'none' },
    });
    expect(backend.identity.build).toMatch(/^b\d/u);
    expect(backend.model).toMatchObject({ file: server.model, quantisation: 'Q4_1', vocabularySize: 49_152, trainedContext: 8192 });
    expect(backend.processIds()).toEqual([server.pid]);
    await backend.close();
    expect(backend.processIds()).toEqual([]);
  });

  it('counts and times as we do', async () => {
    const backend = await open({ ignore_eos: true });
    const model = await resolveModel(reference(), sources);
    const before = (await readServerTotals(model))!;
    let prompts = 0;
    for (const [index, maxTokens] of [24, 32, 40].entries()) {
      const generation = await ask(backend, chat(`${index}: tell a story about a lighthouse keeper.`), { maxTokens });
      const { serverTimings, contentChunks } = generation.raw as StreamFacts;
      expect(generation.finishReason).toBe('length');
      expect(generation.usage).toMatchObject({ completionTokens: maxTokens, source: 'server', cachedTokens: 0 });
      expect(contentChunks).toBeGreaterThan(0.8 * maxTokens);
      expect(generation.timing.ttftMs).toBeGreaterThanOrEqual(0.9 * generation.timing.prefillMs!);
      // The server's rate is over the same tokens; contention moves both.
      const perToken = serverTimings!['predicted_ms']! / (maxTokens - 1);
      expect(generation.timing.tpotMs! / perToken).toBeGreaterThan(0.7);
      expect(generation.timing.tpotMs! / perToken).toBeLessThan(1.4);
      prompts += generation.usage.promptTokens!;
    }
    const after = (await readServerTotals(model))!;
    expect(after.generatedTokens! - before.generatedTokens!).toBe(24 + 32 + 40);
    expect(after.promptTokens! - before.promptTokens!).toBe(prompts);
    await backend.close();
  });

  it('reuses a prompt for an evaluation, never for a load test', async () => {
    const measured = await open();
    const evaluated = await openBackend(await resolveModel(reference(), sources));
    const prompt = chat('Which planet is the largest one of the solar system?');
    const cached = async (backend: Backend) => {
      await ask(backend, prompt, { maxTokens: 2 });
      return (await ask(backend, prompt, { maxTokens: 2 })).usage.cachedTokens;
    };
    expect(await cached(measured)).toBe(0);
    expect(await cached(evaluated)).toBeGreaterThan(10);
    await Promise.all([measured.close(), evaluated.close()]);
  });

  it('gives the answers and tokens of the embedded engine on the same file', async () => {
    const model = await resolveModel('smollm2-135m', sources);
    const [served, embedded] = [await open(), await openBackend(model, { threads: 1, deterministic: true })];
    const prompts = [chat('Name three colours.'), chat('What is 2 + 2?'), { kind: 'text', text: 'The capital of France is' } as const];
    for (const prompt of prompts) {
      expect((await served.render(prompt)).tokens).toEqual((await embedded.render(prompt)).tokens);
      const [left, right] = [await ask(served, prompt, { maxTokens: 12 }), await ask(embedded, prompt, { maxTokens: 12 })];
      expect(left.text).toBe(right.text);
      expect(left.usage.promptTokens).toBe(right.usage.promptTokens);
    }
    await Promise.all([served.close(), embedded.close()]);
  });

  it('refuses to score, whatever it answers to an echo (D19)', async () => {
    const backend = await openBackend(await resolveModel(reference(), sources));
    await expect(
      backend.score({ prompt: { kind: 'text', text: 'The sky is' }, choices: [{ continuation: ' blue' }] }),
    ).rejects.toMatchObject({
      code: 'unsupported',
      hint: expect.stringContaining('embedded engine'),
    });
    await backend.close();
  });

  it('gives JSON by schema, text by grammar, and log-probabilities', async () => {
    const backend = await open();
    const settings = { ...defaultGenerationSettings, maxTokens: 40 };
    const schema = { type: 'object', properties: { colour: { enum: ['red', 'blue'] } }, required: ['colour'], additionalProperties: false };
    const json = await backend.generate({ prompt: chat('Pick a colour.'), settings, jsonSchema: schema });
    expect(['red', 'blue']).toContain(JSON.parse(json.text).colour);
    const grammar = await backend.generate({ prompt: chat('Yes or no?'), settings, grammar: 'root ::= "yes" | "no"' });
    expect(['yes', 'no']).toContain(grammar.text);
    for (const prompt of [chat('Say hi.'), { kind: 'text', text: 'The capital of France is' } as const]) {
      const { tokens, text } = await backend.generate({ prompt, settings: { ...settings, maxTokens: 4 }, topLogprobs: 3 });
      expect(tokens!.map((token) => token.text).join('')).toBe(text);
      expect(tokens!.every((token) => token.top!.length === 3 && token.logprob! <= 0 && token.top![0]!.logprob === token.logprob)).toBe(
        true,
      );
    }
    await backend.close();
  });

  it('killed in the middle of a run: what is left fails as errors, and the same call finishes the run', async () => {
    const options = {
      models: [reference()],
      tasks: ['sentiment-mini'],
      settings: { samples: 12, concurrency: 1 },
      runsFolder: folder,
    } as const;
    let answered = 0;
    let dying: Promise<void> | undefined;
    const first = await evaluate({
      ...options,
      onEvent: (event) => {
        if (event.kind === 'sample-finished' && ++answered === 4) dying = server.stop();
      },
    });
    await dying;
    const counts = first.record.results[0]!.counts;
    expect(first.record.status).toBe('failed');
    expect(counts.scored + counts.invalid).toBeGreaterThanOrEqual(4);
    expect(counts.error).toBe(12 - counts.scored - counts.invalid);
    expect(counts.errorClasses['transport'] ?? 0).toBeGreaterThan(0);
    await expect(evaluate(options)).rejects.toMatchObject({ code: 'transport', hint: expect.stringContaining('is the server running') });
    server = await startLlamaServer(program!, [], server.port);
    const second = await evaluate(options);
    expect(second.record.id).toBe(first.record.id);
    expect(second.record.status).toBe('complete');
    expect(second.record.results[0]!.counts).toMatchObject({ error: 0, total: 12 });
  });
});
