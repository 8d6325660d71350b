// Loads a GGUF model and makes its context: memory, batch, adapters, and the counters of what was really evaluated.
import { existsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { ToolError } from '../../core/errors.ts';
import { type EngineSettings, kvTypes } from './engine-protocol.ts';
import type { NativeApi, Pointer } from './native-api.ts';
import { createTokenBatch, type TokenBatch } from './token-batch.ts';
import { openVocabulary, type Vocabulary } from './vocabulary.ts';

export interface LoadedModel {
  readonly native: NativeApi;
  readonly model: Pointer;
  readonly context: Pointer;
  readonly memory: Pointer;
  readonly vocabularyPointer: Pointer;
  readonly vocabulary: Vocabulary;
  readonly batch: TokenBatch;
  /** Cells of the KV cache, shared by all sequences. */
  readonly cells: number;
  /** Tokens one request may use. */
  readonly contextTokens: number;
  readonly trainedContext: number;
  readonly maxSequences: number;
  /** Most logits rows of one batch. */
  readonly maxOutputs: number;
  /** False for recurrent and hybrid models, whose state cannot be cut at a token. */
  readonly sharesPrefixes: boolean;
  readonly counters: { computedTokens: number; singleDecodes: number; decodeCpuMs: number; readCpuMs: number };
  /** Evaluates the batch and empties it. `row(i)` then gives the logits of the i-th output. */
  readonly decode: () => LogitsRows;
}

export type LogitsRows = (row: number) => Float32Array;

const defaultContext = 4096;
const maxSequences = 128;
const logitsBytes = 64 * 1024 * 1024;
// The reserved outputs shape llama.cpp's compute buffer: at 341 of SmolLM2's a 512-token prompt took 15 % longer than at any multiple of 64.
const outputStep = 64;

/** @throws ToolError `integrity`, `memory`, `unsupported` or `backend`; the log of llama.cpp has the details */
export function openModel(native: NativeApi, path: string, settings: EngineSettings): LoadedModel {
  const { llama } = native;
  const model = llama.model_load_from_file(path, {
    ...llama.model_default_params(),
    n_gpu_layers: settings.gpuLayers,
  });
  if (model === null) throw new ToolError('integrity', `llama.cpp cannot load ${path}`);
  refuseUnusable(native, model);
  const vocabularyPointer = llama.model_get_vocab(model);
  const vocabulary = openVocabulary(native, vocabularyPointer);
  const trainedContext = llama.model_n_ctx_train(model);
  const contextTokens = settings.contextTokens ?? Math.min(trainedContext > 0 ? trainedContext : defaultContext, defaultContext);
  const sharesPrefixes = !llama.model_is_recurrent(model) && !llama.model_is_hybrid(model);
  const maxOutputs = mostOutputs(settings.batchTokens, vocabulary.size);
  const sequences = sharesPrefixes ? Math.min(maxSequences, maxOutputs) : settings.parallel + 1;
  // Room for a full request beside the shared prefixes and branches of others.
  const cells = Math.ceil((contextTokens + 2 * settings.batchTokens) / 256) * 256;
  refuseTooLargeCache(native, model, cells);
  const context = llama.init_from_model(model, {
    ...llama.context_default_params(),
    n_ctx: cells,
    n_batch: settings.batchTokens,
    n_ubatch: settings.batchTokens,
    n_seq_max: sequences,
    n_outputs_max: maxOutputs,
    n_threads: settings.threads,
    n_threads_batch: settings.threads,
    flash_attn_type: { auto: -1, off: 0, on: 1 }[settings.flashAttention],
    type_k: kvTypes[settings.kvType],
    type_v: kvTypes[settings.kvType],
    no_perf: false,
    kv_unified: true,
  });
  if (context === null) {
    throw new ToolError('memory', `llama.cpp cannot make a context of ${cells} tokens`, {
      hint: 'lower --context, use a smaller model or quantisation, or a smaller KV type',
    });
  }
  applyAdapters(native, model, context, settings.adapters);
  const batch = createTokenBatch(native, settings.batchTokens, sequences);
  const counters = { computedTokens: 0, singleDecodes: 0, decodeCpuMs: 0, readCpuMs: 0 };
  return {
    native,
    model,
    context,
    memory: llama.get_memory(context),
    vocabularyPointer,
    vocabulary,
    batch,
    cells: llama.n_ctx(context),
    contextTokens,
    trainedContext,
    maxSequences: sequences,
    maxOutputs,
    sharesPrefixes,
    counters,
    decode: createDecode(native, context, batch, vocabulary.size, counters),
  };
}

function mostOutputs(batchTokens: number, vocabularySize: number): number {
  const fitting = Math.floor(logitsBytes / (vocabularySize * 4) / outputStep) * outputStep;
  return Math.max(outputStep, Math.min(batchTokens, fitting));
}

function refuseUnusable({ llama }: NativeApi, model: Pointer): void {
  if (llama.model_has_encoder(model) || !llama.model_has_decoder(model)) {
    throw new ToolError('unsupported', 'this model is not a decoder-only language model; slmbench evaluates only those');
  }
  if (llama.model_is_diffusion(model)) throw new ToolError('unsupported', 'diffusion language models are not supported');
}

/** Bookkeeping of one cell in llama.cpp (position, sequence set), bytes. */
const cellBytes = 64;

/** llama.cpp would fill memory cell by cell before it fails, and take the machine down with it. */
function refuseTooLargeCache({ llama }: NativeApi, model: Pointer, cells: number): void {
  const headLength = llama.model_n_embd(model) / Math.max(1, llama.model_n_head(model));
  const keyBytes = llama.model_n_layer(model) * llama.model_n_head_kv(model) * headLength;
  const bytes = cells * (2 * keyBytes + cellBytes);
  if (bytes <= totalmem()) return;
  throw new ToolError(
    'memory',
    `a context of ${cells} tokens needs ${gibibytes(bytes)} GiB; this machine has ${gibibytes(totalmem())} GiB`,
    {
      hint: 'lower --context',
    },
  );
}

function gibibytes(bytes: number): string {
  return (bytes / 2 ** 30).toFixed(1);
}

function applyAdapters(native: NativeApi, model: Pointer, context: Pointer, adapters: EngineSettings['adapters']): void {
  if (adapters.length === 0) return;
  const pointers = adapters.map(({ path }) => {
    if (!existsSync(path)) throw new ToolError('not-found', `no adapter at ${path}`);
    const adapter = native.llama.adapter_lora_init(model, path);
    if (adapter === null) {
      throw new ToolError('unsupported', `the adapter ${path} does not fit this model, or is no LoRA adapter in GGUF form`, {
        hint: 'it must be made for the same architecture and layer sizes as the base model',
      });
    }
    return adapter;
  });
  const scales = Float32Array.from(adapters.map(({ scale }) => scale));
  if (native.llama.set_adapters_lora(context, BigInt64Array.from(pointers), pointers.length, scales) !== 0) {
    throw new ToolError('backend', 'llama.cpp refused the LoRA adapters');
  }
}

function createDecode(
  native: NativeApi,
  context: Pointer,
  batch: TokenBatch,
  vocabularySize: number,
  counters: LoadedModel['counters'],
): LoadedModel['decode'] {
  let viewedAt: Pointer = null;
  let viewedRows = 0;
  let memory: ArrayBuffer = new ArrayBuffer(0);
  const rowBytes = vocabularySize * 4;
  return () => {
    const { outputs } = batch;
    const started = process.cpuUsage();
    const status = native.llama.decode(context, batch.native);
    if (status !== 0) {
      batch.clear();
      throw decodeError(status);
    }
    native.llama.synchronize(context);
    counters.decodeCpuMs += cpuMsSince(started);
    counters.computedTokens += batch.size;
    if (batch.size === 1) counters.singleDecodes++;
    batch.clear();
    if (outputs === 0) return () => new Float32Array(0);
    const pointer = native.llama.get_logits(context);
    // A view costs about 20 us, so one that still fits is kept; llama.cpp moves the buffer only to grow it.
    if (pointer !== viewedAt || outputs > viewedRows) {
      viewedAt = pointer;
      viewedRows = outputs;
      memory = native.view(pointer, outputs * rowBytes);
    }
    return (row) => new Float32Array(memory, row * rowBytes, vocabularySize);
  };
}

/** CPU time of this process since a reading, ms: unlike the clock it does not count what other programs do. */
export function cpuMsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function decodeError(status: number): ToolError {
  if (status === 1) return new ToolError('context-overflow', 'the KV cache has no room for this batch', { hint: 'raise --context' });
  return new ToolError('backend', `llama_decode failed with status ${status}`, { isRetryable: true });
}
