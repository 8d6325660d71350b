// The seam between slmbench and anything that runs a model. Adapters live in src/backends/<kind>/; changes here are breaking.
import type { GenerateRequest, Generation, RollingRequest, RollingResult, ScoreRequest, ScoreResult, StreamPart } from '../generation.ts';
import type { ModelFacts } from '../model.ts';
import type { Prompt, RenderedPrompt } from '../prompt.ts';

export interface BackendCapabilities {
  readonly generate: boolean;
  readonly stream: boolean;
  /** Log-likelihood of given continuations, exact. */
  readonly score: boolean;
  readonly rolling: boolean;
  readonly tokenize: boolean;
  readonly chat: boolean;
  readonly bench: boolean;
  readonly adapters: boolean;
  readonly jsonSchema: boolean;
  /** Usable context per request in tokens; null if unknown. */
  readonly contextTokens: number | null;
  /** In-flight requests at which the backend is most efficient. */
  readonly preferredConcurrency: { readonly score: number; readonly generate: number };
}

/** What ran the model: kind, build and every setting that can move a number. Lands in the record and the cache key. */
export interface BackendIdentity {
  readonly kind: 'llama' | 'ollama' | 'openai' | 'transformers' | 'scripted';
  readonly name: string;
  readonly version: string | null;
  readonly build: string | null;
  /** Context, threads, batch sizes, GPU layers, KV type, flash attention, endpoint (redacted)... */
  readonly settings: Readonly<Record<string, string | number | boolean | null>>;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
}

export interface GenerateOptions extends RequestOptions {
  readonly onPart?: ((part: StreamPart) => void) | undefined;
}

export interface BenchRequest {
  readonly promptTokens: number;
  readonly generatedTokens: number;
  /** Tokens already in the context before the measured part. */
  readonly depth: number;
  readonly repetitions: number;
}

export interface BenchResult {
  /** One value per repetition, tokens per second; empty when that part was not asked for. */
  readonly prefillTokensPerSecond: readonly number[];
  readonly decodeTokensPerSecond: readonly number[];
}

export interface LoadFacts {
  readonly loadMs: number | null;
  /** True when the file was (probably) in the page cache already. */
  readonly warm: boolean | null;
}

/**
 * One loaded model. Requests may be issued concurrently; the adapter batches them. Failures reject with a
 * ToolError whose code is `backend`, `transport`, `timeout`, `context-overflow` or `unsupported`.
 */
export interface Backend {
  readonly specificationVersion: 'v1';
  readonly identity: BackendIdentity;
  readonly model: ModelFacts;
  readonly capabilities: BackendCapabilities;
  readonly load: LoadFacts;
  readonly generate: (request: GenerateRequest, options?: GenerateOptions) => Promise<Generation>;
  readonly score: (request: ScoreRequest, options?: RequestOptions) => Promise<ScoreResult>;
  readonly rolling: (request: RollingRequest, options?: RequestOptions) => Promise<RollingResult>;
  /** The exact text and token ids that a prompt becomes. */
  readonly render: (prompt: Prompt) => Promise<RenderedPrompt>;
  readonly bench: (request: BenchRequest, options?: RequestOptions) => Promise<BenchResult>;
  /** Process ids whose resources are the model's own (current ones: they change after an engine restart). */
  readonly processIds: () => readonly number[];
  /** True for a server that was there before and stays: its processes live on after `close`. */
  readonly processesOutliveClose?: boolean | undefined;
  readonly close: () => Promise<void>;
}

export interface BackendOptions {
  readonly contextTokens?: number | undefined;
  readonly threads?: number | undefined;
  readonly gpuLayers?: number | undefined;
  readonly adapters?: readonly { readonly path: string; readonly scale: number }[] | undefined;
  /** Fixed batching: one request at a time in order, no prefix reuse across requests. */
  readonly deterministic?: boolean | undefined;
  readonly requestTimeoutMs?: number | undefined;
  readonly seed?: number | undefined;
}
