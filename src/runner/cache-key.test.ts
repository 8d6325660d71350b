import { expect, test } from 'vitest';
import { modelToPlan } from '../../test/contract/run-store-fakes.ts';
import { defaultGenerationSettings, type GenerationSettings } from '../core/generation.ts';
import type { ModelRequest } from '../core/task.ts';
import { type CacheKeyInput, cacheKey } from './cache-key.ts';

function request(settings: Partial<GenerationSettings> = {}, text = 'hello'): ModelRequest {
  return { kind: 'generate', request: { prompt: { kind: 'text', text }, settings: { ...defaultGenerationSettings, ...settings } } };
}

const base: CacheKeyInput = { model: modelToPlan(), build: 'b1', request: request(), repeat: 0 };
const { facts } = base.model;
const adapter = { path: 'a.gguf', digest: '1', scale: 1, sizeBytes: 1 };
const withFacts = (change: Partial<typeof facts>): CacheKeyInput => ({ ...base, model: { ...base.model, facts: { ...facts, ...change } } });

test('anything that can change an answer changes the key', () => {
  const inputs: readonly CacheKeyInput[] = [
    base,
    withFacts({ digest: 'other content' }),
    withFacts({ adapters: [adapter] }),
    withFacts({ adapters: [{ ...adapter, scale: 0.5 }] }),
    withFacts({ adapters: [{ ...adapter, digest: '2' }] }),
    withFacts({ chatTemplateDigest: 't' }),
    { ...base, model: { ...base.model, backend: 'llama' } },
    { ...base, model: { ...base.model, settings: { contextTokens: 512 } } },
    { ...base, build: 'b2' },
    { ...base, build: null },
    { ...base, repeat: 1 },
    { ...base, request: request({}, 'hello ') },
    {
      ...base,
      request: {
        kind: 'generate',
        request: { ...requestOf(base), prompt: { kind: 'chat', messages: [{ role: 'user', content: 'hello' }] } },
      },
    },
    ...(
      [
        { temperature: 0.7 },
        { maxTokens: 16 },
        { maxTokens: 4000 },
        { topP: 0.9 },
        { topK: 1 },
        { minP: 0.1 },
        { repeatPenalty: 1.1 },
        { stop: ['x'] },
        { seed: 1 },
        { thinking: 'off' },
      ] as const
    ).map((settings) => ({ ...base, request: request(settings as Partial<GenerationSettings>) })),
  ];
  expect(new Set(inputs.map(cacheKey)).size).toBe(inputs.length);
});

test('a model without content digest is told apart by its endpoint; one with a digest may be named in any way', () => {
  const server = (reference: string): CacheKeyInput => ({
    ...base,
    model: { ...base.model, reference, facts: { ...facts, digestKind: 'none', digest: null } },
  });
  expect(cacheKey(server('openai:x@http://127.0.0.1:1/v1'))).not.toBe(cacheKey(server('openai:x@http://127.0.0.1:2/v1')));
  expect(cacheKey({ ...base, model: { ...base.model, reference: './m.gguf', key: 'n', title: 't' } })).toBe(cacheKey(base));
});

function requestOf({ request: kept }: CacheKeyInput): Extract<ModelRequest, { kind: 'generate' }>['request'] {
  if (kept.kind !== 'generate') throw new Error('not a generation');
  return kept.request;
}
