// What a real llama-server sent, replayed in blocks of every size.
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openMockServer } from '../../../test/servers/mock-server.ts';
import { readRecording, serveRecording } from '../../../test/servers/recorded.ts';
import { defaultGenerationSettings, type Generation } from '../../core/generation.ts';
import type { ModelFacts } from '../../core/model.ts';
import type { Backend } from '../../core/ports/backend.ts';
import type { Prompt } from '../../core/prompt.ts';
import { openOpenaiBackend } from './openai-backend.ts';
import { parseMetrics, tokenTotals } from './server-metrics.ts';

const recording = readRecording(join(import.meta.dirname, '__fixtures__', 'llama-server-v0.4.0.json'));
const text = { kind: 'text', text: 'x' } as const;
const chat: Prompt = { kind: 'chat', messages: [{ role: 'user', content: 'Name a colour.' }] };
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function open(name: string, blockBytes?: number): Promise<Backend> {
  const choose = (path: string) => (path.endsWith('/completions') ? name : undefined);
  const server = await openMockServer(serveRecording(recording, choose, blockBytes));
  const model = { url: server.url, serverModel: 'SmolLM2-135M-Instruct.Q4_1', facts: {} as ModelFacts };
  const backend = await openOpenaiBackend(model, {}, { server: { environment: {}, probeScoring: name === 'echo' } });
  cleanups.push(
    () => backend.close(),
    () => server.close(),
  );
  return backend;
}

async function ask(name: string, prompt: Prompt, blockBytes?: number): Promise<Generation> {
  return (await open(name, blockBytes)).generate({ prompt, settings: defaultGenerationSettings });
}

describe('recorded llama-server', () => {
  it.each([1, 2, 3, 7, 64, 1 << 20])('gives the same answer in blocks of %i bytes', async (blockBytes) => {
    const { text: answer, usage, finishReason, timing } = await ask('chat', chat, blockBytes);
    expect([answer, finishReason]).toEqual(['The colour is a rare and', 'length']);
    expect(usage).toMatchObject({ promptTokens: 34, completionTokens: 6, source: 'server' });
    expect(timing.prefillMs).toBeGreaterThan(0);
    expect((await ask('emoji', text, blockBytes)).text).toBe('€🙂é');
  });

  it('is described by what it says', async () => {
    const { identity, model, capabilities } = await open('chat');
    expect(identity).toMatchObject({ name: 'llama-server', version: 'b1-5b4ebc5', settings: { contextTokens: 2048, slots: 2 } });
    expect(model).toMatchObject({
      file: 'SmolLM2-135M-Instruct.Q4_1.gguf',
      quantisation: 'Q4_1',
      parameters: 134_515_008,
      hasChatTemplate: true,
    });
    expect(capabilities).toMatchObject({ tokenize: true, contextTokens: 2048, preferredConcurrency: { generate: 2 } });
  });

  it('reads log-probabilities with their alternatives', async () => {
    const { tokens } = await ask('completionLogprobs', text);
    expect(tokens!.map((token) => token.text)).toEqual([' Paris', '.', '\n']);
    expect(tokens![0]).toMatchObject({ id: 7042, top: [{ text: ' Paris' }, { text: ' the' }] });
  });

  it('reads a whole reply', async () => {
    expect(await ask('whole', chat)).toMatchObject({ text: 'The colour is', finishReason: 'length', timing: { ttftMs: null } });
  });

  it('is not fooled by its answer to an echo (D19)', async () => {
    const backend = await open('echo');
    expect(backend.capabilities.score).toBe(false);
    await expect(backend.score({ prompt: text, choices: [{ continuation: ' y' }] })).rejects.toMatchObject({ code: 'unsupported' });
  });

  it('tells overflow from other refusals', async () => {
    await expect(ask('overflow', text)).rejects.toMatchObject({ code: 'context-overflow' });
    await expect(ask('badField', chat)).rejects.toMatchObject({
      code: 'backend',
      message: expect.stringContaining("Expected 'messages' to be an array"),
    });
  });

  it('renders as the server does', async () => {
    const { text: rendered, pieces } = await (await open('chat')).render(chat);
    expect(rendered).toContain('<|im_start|>user\nName a colour.<|im_end|>');
    expect(pieces!.join('')).toBe('A colour: 🙂');
  });

  it('publishes totals', () => {
    const totals = tokenTotals(parseMetrics(recording['metrics']!.body))!;
    expect(totals.promptTokens).toBeGreaterThan(0);
    expect(totals.generatedTokens).toBeGreaterThan(0);
  });
});
