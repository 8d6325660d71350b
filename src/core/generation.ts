// What a model is asked and what it answers: the request and result types that every backend shares.
import { z } from 'zod';
import type { Prompt } from './prompt.ts';

export const finishReasons = ['stop', 'stop-string', 'length', 'tool-call', 'content-filter', 'cancelled', 'error', 'unknown'] as const;
/** `stop` = end-of-turn token; `stop-string` = one of the caller's strings; `length` = token limit or context full (truncated). */
export type FinishReason = (typeof finishReasons)[number];

export const usageSources = ['engine', 'server', 'tokenizer', 'chunks', 'none'] as const;

export const usageSchema = z.strictObject({
  promptTokens: z.number().int().nullable(),
  /** Prompt tokens that were reused from a KV or prefix cache. */
  cachedTokens: z.number().int().nullable(),
  completionTokens: z.number().int().nullable(),
  reasoningTokens: z.number().int().nullable(),
  /** Where the counts come from; `chunks` is an estimate and barred from headline figures. */
  source: z.enum(usageSources),
  /** Tokens the engine really evaluated for this request (embedded engine only). */
  computedTokens: z.number().int().nullable().optional(),
});
export type Usage = z.infer<typeof usageSchema>;

export const timingSchema = z.strictObject({
  /** Waiting before the request was handed to the engine or socket, ms. */
  queuedMs: z.number().nullable(),
  /** Time to the first non-empty generated text of any channel, ms from hand-over. */
  ttftMs: z.number().nullable(),
  /** Time to the first answer (non-reasoning) text, ms. */
  ttfaMs: z.number().nullable(),
  /** Hand-over to last content, ms. */
  totalMs: z.number().nullable(),
  /** (total - ttft) / (tokens - tokens in the first chunk), ms; null if the divisor is below 1. */
  tpotMs: z.number().nullable(),
  /** Prompt evaluation time reported by the engine or server, ms. */
  prefillMs: z.number().nullable().optional(),
  /** Token generation time reported by the engine or server, ms. */
  decodeMs: z.number().nullable().optional(),
});
export type Timing = z.infer<typeof timingSchema>;

export const noUsage: Usage = { promptTokens: null, cachedTokens: null, completionTokens: null, reasoningTokens: null, source: 'none' };
export const noTiming: Timing = { queuedMs: null, ttftMs: null, ttfaMs: null, totalMs: null, tpotMs: null };

export const generationSettingsSchema = z.strictObject({
  maxTokens: z.number().int().positive().default(256),
  /** 0 is greedy. */
  temperature: z.number().min(0).default(0),
  topP: z.number().gt(0).max(1).optional(),
  topK: z.number().int().positive().optional(),
  minP: z.number().min(0).max(1).optional(),
  repeatPenalty: z.number().positive().optional(),
  stop: z.array(z.string().min(1)).default([]),
  seed: z.number().int().nonnegative().default(42),
  /** `auto` leaves the model's own default. */
  thinking: z.enum(['on', 'off', 'auto']).default('auto'),
});
export type GenerationSettings = z.infer<typeof generationSettingsSchema>;

export const defaultGenerationSettings: GenerationSettings = generationSettingsSchema.parse({});

/** A setting that a backend could not honour, or a fact the user should see; data, never an exception. */
export interface BackendWarning {
  readonly kind: 'unsupported-setting' | 'compatibility' | 'estimate' | 'other';
  readonly message: string;
  readonly setting?: string | undefined;
}

export interface GenerateRequest {
  readonly prompt: Prompt;
  readonly settings: GenerationSettings;
  /** JSON Schema that constrains the output, where the backend can. */
  readonly jsonSchema?: unknown;
  /** GBNF grammar (llama engine). */
  readonly grammar?: string | undefined;
  /** Ask for the log-probabilities of the k most likely tokens of each generated position. */
  readonly topLogprobs?: number | undefined;
  /** Generate to the token limit, past end tokens: exact output lengths in load tests. A backend that cannot warns. @default false */
  readonly ignoreEndOfText?: boolean | undefined;
}

export interface TokenLogprob {
  readonly text: string;
  readonly logprob: number;
}

export interface GeneratedToken {
  readonly text: string;
  readonly id?: number | undefined;
  /** ms from hand-over. */
  readonly timeMs: number;
  readonly logprob?: number | undefined;
  readonly top?: readonly TokenLogprob[] | undefined;
}

export interface Generation {
  /** Untouched output, reasoning included where the model writes it inline. */
  readonly text: string;
  /** Reasoning that arrived on a channel of its own. */
  readonly reasoning?: string | undefined;
  readonly finishReason: FinishReason;
  readonly usage: Usage;
  readonly timing: Timing;
  readonly warnings: readonly BackendWarning[];
  readonly tokens?: readonly GeneratedToken[] | undefined;
  /** Gaps between content chunks, ms (inter-chunk latency). */
  readonly chunkGapsMs?: readonly number[] | undefined;
  /** Provider fields kept as they came. */
  readonly raw?: unknown;
}

/** Parts of a stream, in order: any number of `text`/`reasoning`, then exactly one `finish`. */
export type StreamPart =
  | { readonly kind: 'text'; readonly text: string; readonly timeMs: number }
  | { readonly kind: 'reasoning'; readonly text: string; readonly timeMs: number }
  | { readonly kind: 'finish'; readonly generation: Generation };

export interface ScoreChoice {
  /** The scored string with its leading delimiter, e.g. `" Paris"`. */
  readonly continuation: string;
  /** Own context of this choice (partial evaluation as in WinoGrande); default: the request's prompt. */
  readonly prompt?: Prompt | undefined;
}

/** Log-likelihood of each continuation given the prompt. */
export interface ScoreRequest {
  readonly prompt: Prompt;
  readonly choices: readonly ScoreChoice[];
}

export interface ChoiceScore {
  /** Sum of log P over the continuation's tokens, nats, float64 log-sum-exp. */
  readonly logprob: number;
  /** Number of scored tokens. */
  readonly tokens: number;
  /** True if each scored token is the arg-max. */
  readonly greedy: boolean;
  readonly tokenLogprobs?: readonly number[] | undefined;
}

export interface ScoreResult {
  readonly choices: readonly ChoiceScore[];
  readonly usage: Usage;
  readonly timing: Timing;
  readonly warnings: readonly BackendWarning[];
}

/** Rolling log-likelihood of a text. */
export interface RollingRequest {
  readonly text: string;
  /**
   * `lm-eval`: first window starts from the prefix token, then disjoint blocks, the last one slid back (scoring.md, Wikitext).
   * `llama-perplexity`: whole windows, BOS forced on each, only the second half of each window scored.
   * `strided`: each window advances by `stride` and scores only new tokens.
   */
  readonly windowing: 'lm-eval' | 'llama-perplexity' | 'strided';
  /** Window length in tokens; default: the backend's context. */
  readonly windowTokens?: number | undefined;
  readonly strideTokens?: number | undefined;
}

export interface RollingResult {
  readonly logprob: number;
  readonly tokens: number;
  readonly windows: number;
  readonly windowTokens: number;
  readonly strideTokens: number;
  readonly bosPolicy: 'model' | 'forced' | 'none';
  readonly tokenLogprobs?: readonly number[] | undefined;
  readonly usage: Usage;
  readonly timing: Timing;
  readonly warnings: readonly BackendWarning[];
}
