// A model run by Hugging Face transformers in the Python worker: a folder of safetensors or a dequantised GGUF, with PEFT adapters.
import { basename } from 'node:path';
import { sha256Hex } from '../../core/digest.ts';
import { ToolError } from '../../core/errors.ts';
import { noTiming } from '../../core/generation.ts';
import type { ModelFacts } from '../../core/model.ts';
import type { Backend, BackendCapabilities, BackendIdentity, BackendOptions } from '../../core/ports/backend.ts';
import type { Prompt } from '../../core/prompt.ts';
import { requireTraining, type TrainingEnvironment } from '../../python/setup-training.ts';
import { cacheRoot } from '../../sources/cache-root.ts';
import { renderChat } from '../../templating/render-chat.ts';
import { directoryDigest } from './directory-digest.ts';
import { generateWith, type PromptParts } from './generate.ts';
import { type ModelWorker, startModelWorker } from './model-worker.ts';
import { encodedSchema, type LoadedModel, readAnswer, scoredSchema } from './worker-answers.ts';

export interface TransformersModelInput {
  /** `gguf` is dequantised once into the cache. */
  readonly kind: 'directory' | 'gguf';
  readonly path: string;
  readonly facts: ModelFacts;
  readonly options?: BackendOptions | undefined;
  /** @default 'float32' on a CPU-only environment, else 'bfloat16' */
  readonly dtype?: 'float32' | 'bfloat16' | 'float16' | undefined;
  readonly cacheDirectory?: string | undefined;
  readonly onRestart?: ((reason: string) => void) | undefined;
}

/**
 * Loads the model. Adapters are PEFT folders; one that was trained on another base is refused.
 * @throws ToolError `unavailable` (environment not set up), `not-found`, `integrity`, `memory`
 */
export async function openTransformersModel(input: TransformersModelInput): Promise<Backend> {
  const { kind, path, options = {} } = input;
  const cacheDirectory = input.cacheDirectory ?? cacheRoot();
  const environment = await requireTraining({ cacheDirectory });
  const dtype = input.dtype ?? (environment.variant === 'cuda' ? 'bfloat16' : 'float32');
  const digest = input.facts.digest ?? (kind === 'directory' ? await directoryDigest(path, cacheDirectory) : null);
  if (digest === null) throw new ToolError('internal', 'a GGUF base needs its digest');
  const load = {
    base: { kind, path, digest, name: basename(path) },
    cacheDirectory,
    dtype,
    contextTokens: options.contextTokens ?? null,
    threads: options.threads ?? null,
    adapters: options.adapters ?? [],
  };
  const worker = await startModelWorker({ environment, load, threads: options.threads, onRestart: input.onRestart });
  return createBackend(worker, environment, dtype, { ...input.facts, digest, digestKind: 'sha256' }, options);
}

function createBackend(
  worker: ModelWorker,
  environment: TrainingEnvironment,
  dtype: string,
  facts: ModelFacts,
  options: BackendOptions,
): Backend {
  const { loaded } = worker;
  const timeoutMs = options.requestTimeoutMs;
  const partsOf = (prompt: Prompt, thinking?: 'on' | 'off' | 'auto') => promptParts(prompt, loaded, thinking);
  return {
    specificationVersion: 'v1',
    identity: describeIdentity(environment, loaded, dtype, options),
    model: completeFacts(facts, loaded, dtype),
    capabilities: capabilitiesOf(loaded),
    load: { loadMs: loaded.loadMs, warm: null },
    generate: async (request, callOptions = {}) =>
      generateWith(worker, partsOf(request.prompt, request.settings.thinking), request, callOptions, timeoutMs),
    score: async (request, { signal } = {}) => {
      const own = partsOf(request.prompt);
      const choices = request.choices.map(({ continuation, prompt }) => ({
        continuation,
        prompt: prompt === undefined ? null : partsOf(prompt).segments,
      }));
      const askedAtMs = performance.now();
      const result = readAnswer(scoredSchema, await worker.call('score', { prompt: own.segments, choices }, { signal, timeoutMs }));
      const { promptTokens, computedTokens, totalMs } = result;
      return {
        choices: result.choices,
        usage: { promptTokens, cachedTokens: 0, completionTokens: 0, reasoningTokens: 0, source: 'engine', computedTokens },
        timing: { ...noTiming, queuedMs: Math.max(0, performance.now() - askedAtMs - totalMs), totalMs, prefillMs: totalMs },
        warnings: own.warnings,
      };
    },
    rolling: async () => {
      throw new ToolError('unsupported', 'rolling log-likelihood is not available for transformers models', {
        hint: 'use the GGUF engine',
      });
    },
    render: async (prompt) => {
      const { segments, text } = partsOf(prompt);
      return { text, ...readAnswer(encodedSchema, await worker.call('encode', { prompt: segments })) };
    },
    bench: async () => {
      throw new ToolError('unsupported', 'raw speed is measured with the GGUF engine only');
    },
    processIds: worker.processIds,
    close: worker.close,
  };
}

/** A prompt as the worker tokenises it: plain text as data, chats through the model's own template. */
function promptParts(prompt: Prompt, loaded: LoadedModel, thinking: 'on' | 'off' | 'auto' = 'auto'): PromptParts {
  if (prompt.kind === 'text') return { segments: [{ kind: 'data', text: prompt.text }], text: prompt.text, warnings: [] };
  return renderChat(loaded.chatTemplate, {
    messages: prompt.messages,
    addGenerationPrompt: true,
    bosToken: loaded.bosText,
    eosToken: loaded.eosText,
    thinking,
    prefill: prompt.prefill,
    controlTokens: loaded.controlTokens,
  });
}

function describeIdentity(environment: TrainingEnvironment, loaded: LoadedModel, dtype: string, options: BackendOptions): BackendIdentity {
  const { packages } = loaded;
  return {
    kind: 'transformers',
    name: 'transformers (Python worker)',
    version: packages['transformers'] ?? null,
    build: `torch ${packages['torch']} peft ${packages['peft']} python ${environment.pythonVersion}`,
    settings: {
      contextTokens: loaded.contextTokens,
      dtype,
      device: loaded.device,
      threads: options.threads ?? null,
      requirements: environment.requirementsDigest.slice(0, 16),
    },
  };
}

function capabilitiesOf(loaded: LoadedModel): BackendCapabilities {
  return {
    generate: true,
    stream: true,
    score: true,
    rolling: false,
    tokenize: true,
    chat: loaded.chatTemplate !== null,
    bench: false,
    adapters: true,
    jsonSchema: false,
    contextTokens: loaded.contextTokens,
    preferredConcurrency: { score: 1, generate: 1 },
  };
}

function completeFacts(known: ModelFacts, loaded: LoadedModel, dtype: string): ModelFacts {
  return {
    ...known,
    architecture: known.architecture ?? loaded.architecture,
    parameters: known.parameters ?? loaded.parameters,
    quantisation: known.quantisation ?? dtype,
    trainedContext: known.trainedContext ?? loaded.trainedContext,
    vocabularySize: known.vocabularySize ?? loaded.vocabularySize,
    hasChatTemplate: known.hasChatTemplate ?? loaded.chatTemplate !== null,
    chatTemplateDigest: known.chatTemplateDigest ?? (loaded.chatTemplate === null ? null : sha256Hex(loaded.chatTemplate)),
  };
}
