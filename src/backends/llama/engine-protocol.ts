// Messages between the backend and its engine process. Plain JSON, so that any runtime could host the engine.
import type { ErrorCode } from '../../core/errors.ts';
import type { FinishReason } from '../../core/generation.ts';
import type { BenchRequest, BenchResult } from '../../core/ports/backend.ts';
import type { LibraryLocation } from './library-location.ts';

/** Text to tokenise: in `template` stretches control tokens are parsed, in `data` stretches never. */
export interface TextPart {
  readonly kind: 'template' | 'data';
  readonly text: string;
}

/** Every setting of the engine, resolved. */
export interface EngineSettings {
  readonly contextTokens: number | null;
  readonly batchTokens: number;
  readonly threads: number;
  readonly gpuLayers: number;
  readonly kvType: KvType;
  readonly flashAttention: 'auto' | 'on' | 'off';
  readonly parallel: number;
  readonly deterministic: boolean;
  readonly adapters: readonly { readonly path: string; readonly scale: number }[];
}
export const kvTypes = { f32: 0, f16: 1, q8_0: 8, q4_0: 2 } as const;
export type KvType = keyof typeof kvTypes;

/** What the engine tells once the model is loaded. */
export interface EngineFacts {
  readonly version: string;
  readonly systemInfo: string;
  readonly description: string;
  readonly contextTokens: number;
  readonly trainedContext: number;
  readonly vocabularySize: number;
  readonly chatTemplate: string | null;
  readonly bosText: string;
  readonly eosText: string;
  readonly addsBos: boolean;
  readonly controlTokens: readonly string[];
  readonly sharesPrefixes: boolean;
  readonly loadMs: number;
}

export interface EngineChoice {
  /** Own context, or null for the request's. */
  readonly prompt: readonly TextPart[] | null;
  readonly continuation: string;
}

export interface SamplingSettings {
  readonly maxTokens: number;
  readonly temperature: number;
  readonly topP: number | null;
  readonly topK: number | null;
  readonly minP: number | null;
  readonly repeatPenalty: number | null;
  readonly seed: number;
  readonly stop: readonly string[];
  readonly grammar: string | null;
  /** Alternatives to report per position; null for no log-probabilities at all. */
  readonly topLogprobs: number | null;
  /** End tokens are never chosen. */
  readonly ignoreEndOfText: boolean;
}

export type EngineTask =
  | { readonly kind: 'load'; readonly location: LibraryLocation; readonly path: string; readonly settings: EngineSettings }
  | { readonly kind: 'score'; readonly prompt: readonly TextPart[]; readonly choices: readonly EngineChoice[] }
  | {
      readonly kind: 'generate';
      readonly prompt: readonly TextPart[];
      readonly sampling: SamplingSettings;
      readonly stream: boolean;
    }
  | {
      readonly kind: 'rolling';
      readonly text: string;
      readonly windowing: 'lm-eval' | 'llama-perplexity' | 'strided';
      readonly windowTokens: number | null;
      readonly strideTokens: number | null;
    }
  | { readonly kind: 'render'; readonly prompt: readonly TextPart[] }
  | ({ readonly kind: 'bench' } & BenchRequest)
  | { readonly kind: 'counters' }
  | {
      readonly kind: 'quantize';
      readonly location: LibraryLocation;
      readonly input: string;
      readonly output: string;
      readonly fileType: number;
      readonly threads: number;
      readonly allowRequantize: boolean;
    }
  | {
      readonly kind: 'fidelity';
      readonly location: LibraryLocation;
      readonly settings: EngineSettings;
      readonly reference: string;
      readonly candidates: readonly string[];
      readonly text: string;
      readonly windowTokens: number;
      readonly maxWindows: number | null;
    }
  | { readonly kind: 'info'; readonly location: LibraryLocation };

export interface WorkUsage {
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly computedTokens: number;
}

export interface ScoredChoice {
  readonly logprob: number;
  readonly tokens: number;
  readonly greedy: boolean;
  readonly tokenLogprobs: readonly number[];
}

export interface EngineToken {
  readonly id: number;
  readonly text: string;
  readonly timeMs: number;
  readonly logprob?: number;
  readonly top?: readonly { readonly text: string; readonly logprob: number }[];
}

/** Tokens that the engine evaluated since it loaded, by its own count and by llama.cpp's. */
export interface EngineCounters {
  readonly computedTokens: number;
  readonly llamaEvaluatedTokens: number;
  /** CPU time of reading log-probabilities, ms. */
  readonly readCpuMs: number;
  /** CPU time of llama_decode, ms. */
  readonly decodeCpuMs: number;
}

/** One candidate beside the reference, one value per scored token (base64 of little-endian float64, or of one byte each). */
export interface TokenFidelity {
  readonly tokens: number;
  /** -log P of the true token under the reference and under the candidate, nats, float64. */
  readonly referenceNll: string;
  readonly candidateNll: string;
  /** KL(reference || candidate), nats, float64. */
  readonly divergence: string;
  /** 1 where both rank the same token first, one byte each. */
  readonly sameTop: string;
}

export interface EngineResults {
  readonly load: EngineFacts;
  readonly score: {
    readonly choices: readonly ScoredChoice[];
    readonly usage: WorkUsage;
    readonly queuedMs: number;
    readonly totalMs: number;
  };
  readonly generate: {
    readonly text: string;
    readonly finishReason: FinishReason;
    readonly tokens: readonly EngineToken[];
    readonly usage: WorkUsage;
    readonly queuedMs: number;
    readonly prefillMs: number;
    readonly decodeMs: number;
  };
  readonly rolling: {
    readonly logprob: number;
    readonly tokens: number;
    readonly windows: number;
    readonly windowTokens: number;
    readonly strideTokens: number;
    readonly bosPolicy: 'model' | 'forced' | 'none';
    readonly tokenLogprobs: readonly number[];
    readonly usage: WorkUsage;
    readonly queuedMs: number;
    readonly totalMs: number;
  };
  readonly render: { readonly text: string; readonly tokens: readonly number[]; readonly pieces: readonly string[] };
  readonly bench: BenchResult;
  readonly counters: EngineCounters;
  readonly quantize: { readonly ok: true };
  readonly fidelity: { readonly windows: number; readonly windowTokens: number; readonly candidates: readonly TokenFidelity[] };
  readonly info: { readonly version: string; readonly systemInfo: string; readonly devices: readonly string[] };
}

/** Monotonic clock shared by all processes of the machine, ms. */
export function sharedClockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export type ToEngine =
  | { readonly kind: 'task'; readonly id: number; readonly handedOverAtMs: number; readonly task: EngineTask }
  | { readonly kind: 'cancel'; readonly id: number };

export interface EngineError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly isRetryable: boolean;
}

export type FromEngine =
  | { readonly kind: 'part'; readonly id: number; readonly text: string; readonly timeMs: number }
  | { readonly kind: 'done'; readonly id: number; readonly result: unknown }
  | { readonly kind: 'failed'; readonly id: number; readonly error: EngineError };
