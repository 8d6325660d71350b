// The embedded llama.cpp as a Backend: exact log-likelihoods, generation, rolling likelihood and raw speed of a GGUF model.
import { basename, resolve } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import { noTiming } from '../../core/generation.ts';
import type { ModelFacts } from '../../core/model.ts';
import type { Backend, BackendCapabilities, BackendIdentity } from '../../core/ports/backend.ts';
import { promptParts } from './chat-parts.ts';
import type { EngineCounters, EngineFacts, EngineSettings } from './engine-protocol.ts';
import { generateWith } from './generate-request.ts';
import { type LibraryLocation, locateLibrary } from './library-location.ts';
import { type LlamaOptions, resolveSettings } from './llama-settings.ts';
import { checkModelFile, explainLoadError } from './load-error.ts';
import { type SupervisedEngine, startSupervisedEngine } from './supervised-engine.ts';

export interface LlamaModelInput {
  readonly path: string;
  /** Facts read from the file; what the engine knows better (context, vocabulary) is filled in where they are null. */
  readonly facts: ModelFacts;
  readonly options: LlamaOptions;
  /** Told after a crash of the engine process, before the fresh one has loaded. */
  readonly onRestart?: ((reason: string) => void) | undefined;
}

/**
 * Loads a GGUF model into an engine process of its own.
 * @throws ToolError `not-found`, `integrity`, `memory`, `unsupported` or `unavailable`
 */
export async function openLlamaBackend(input: LlamaModelInput): Promise<Backend> {
  const path = resolve(input.path);
  checkModelFile(path);
  const location = locateLibrary();
  const settings = resolveSettings(input.options, location.accelerator);
  const engine = await startSupervisedEngine(
    { kind: 'load', location, path, settings },
    (error, log) => explainLoadError(error, basename(path), log),
    input.onRestart ?? (() => {}),
  );
  return createBackend(engine, location, settings, input);
}

function createBackend(engine: SupervisedEngine, location: LibraryLocation, settings: EngineSettings, input: LlamaModelInput): Backend {
  const { facts } = engine;
  const timeoutMs = input.options.requestTimeoutMs;
  const backend: Backend = {
    specificationVersion: 'v1',
    identity: describeIdentity(facts, location, settings),
    model: completeFacts(input.facts, facts),
    capabilities: describeCapabilities(facts, settings),
    load: { loadMs: facts.loadMs, warm: null },
    generate: (request, options = {}) => generateWith(engine, request, options, timeoutMs),
    score: async (request, options = {}) => {
      const own = promptParts(request.prompt, facts);
      const choices = request.choices.map(({ continuation, prompt }) => ({
        continuation,
        prompt: prompt === undefined ? null : promptParts(prompt, facts).parts,
      }));
      const result = await engine.call({ kind: 'score', prompt: own.parts, choices }, { signal: options.signal, timeoutMs });
      return {
        choices: result.choices,
        usage: usageOf(result.usage),
        timing: { ...noTiming, queuedMs: result.queuedMs, totalMs: result.totalMs, prefillMs: result.totalMs },
        warnings: own.warnings,
      };
    },
    rolling: async ({ text, windowing, windowTokens, strideTokens }, options = {}) => {
      const task = { kind: 'rolling', text, windowing, windowTokens: windowTokens ?? null, strideTokens: strideTokens ?? null } as const;
      const { usage, queuedMs, totalMs, ...result } = await engine.call(task, { signal: options.signal, timeoutMs });
      return { ...result, usage: usageOf(usage), timing: { ...noTiming, queuedMs, totalMs, prefillMs: totalMs }, warnings: [] };
    },
    render: async (prompt) => engine.call({ kind: 'render', prompt: promptParts(prompt, facts).parts }),
    bench: async (request, options = {}) => engine.call({ kind: 'bench', ...request }, { signal: options.signal }),
    processIds: () => {
      const id = engine.processId();
      return id === undefined ? [] : [id];
    },
    close: () => engine.close(),
  };
  engines.set(backend, engine);
  return backend;
}

const engines = new WeakMap<Backend, SupervisedEngine>();

/** Tokens and time that the engine of a backend opened here has spent, by its own count and by llama.cpp's. */
export async function engineCounters(backend: Backend): Promise<EngineCounters> {
  const engine = engines.get(backend);
  if (engine === undefined) throw new ToolError('internal', 'only a backend made by openLlamaBackend has engine counters');
  return engine.call({ kind: 'counters' });
}

function usageOf(usage: { readonly promptTokens: number; readonly cachedTokens: number; readonly computedTokens: number }) {
  return { ...usage, completionTokens: 0, reasoningTokens: 0, source: 'engine' } as const;
}

function describeIdentity(facts: EngineFacts, location: LibraryLocation, settings: EngineSettings): BackendIdentity {
  return {
    kind: 'llama',
    name: 'llama.cpp (embedded)',
    version: location.packageVersion,
    build: `${facts.version} ${location.origin}`,
    settings: {
      contextTokens: facts.contextTokens,
      batchTokens: settings.batchTokens,
      threads: settings.threads,
      gpuLayers: settings.gpuLayers,
      kvType: settings.kvType,
      flashAttention: settings.flashAttention,
      parallel: settings.parallel,
      deterministic: settings.deterministic,
      sharesPrefixes: facts.sharesPrefixes,
      accelerator: location.accelerator,
    },
  };
}

function describeCapabilities(facts: EngineFacts, settings: EngineSettings): BackendCapabilities {
  return {
    generate: true,
    stream: true,
    score: true,
    rolling: true,
    tokenize: true,
    chat: true,
    bench: true,
    adapters: true,
    jsonSchema: true,
    contextTokens: facts.contextTokens,
    // One answer at a time unless the user asks for more: latency and tokens per second are then what one person feels.
    preferredConcurrency: { score: settings.deterministic ? 1 : 32, generate: 1 },
  };
}

function completeFacts(known: ModelFacts, facts: EngineFacts): ModelFacts {
  return {
    ...known,
    trainedContext: known.trainedContext ?? facts.trainedContext,
    vocabularySize: known.vocabularySize ?? facts.vocabularySize,
    hasChatTemplate: known.hasChatTemplate ?? facts.chatTemplate !== null,
  };
}
