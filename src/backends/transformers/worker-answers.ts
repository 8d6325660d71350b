// What the Python worker answers about a loaded model, checked on arrival.
import { z } from 'zod';
import { ToolError } from '../../core/errors.ts';

export const loadedModelSchema = z.object({
  loadMs: z.number(),
  contextTokens: z.number().int(),
  trainedContext: z.number().int().nullable(),
  vocabularySize: z.number().int(),
  parameters: z.number().int(),
  architecture: z.string(),
  chatTemplate: z.string().nullable(),
  bosText: z.string(),
  eosText: z.string(),
  controlTokens: z.array(z.string()),
  device: z.string(),
  packages: z.record(z.string(), z.string()),
});
export type LoadedModel = z.infer<typeof loadedModelSchema>;

export const encodedSchema = z.object({ tokens: z.array(z.number().int()), pieces: z.array(z.string()) });

export const generatedSchema = z.object({
  text: z.string(),
  finishReason: z.enum(['stop', 'stop-string', 'length']),
  promptTokens: z.number().int(),
  completionTokens: z.number().int(),
  tokenTimesMs: z.array(z.number()),
  prefillMs: z.number(),
  totalMs: z.number(),
});

export const scoredSchema = z.object({
  choices: z.array(z.object({ logprob: z.number(), tokens: z.number().int(), greedy: z.boolean(), tokenLogprobs: z.array(z.number()) })),
  promptTokens: z.number().int(),
  computedTokens: z.number().int(),
  totalMs: z.number(),
});

export const textPartSchema = z.object({ text: z.string(), timeMs: z.number() });

export function readAnswer<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ToolError('backend', `the Python worker gave an answer that cannot be read: ${parsed.error.message.slice(0, 300)}`);
}
