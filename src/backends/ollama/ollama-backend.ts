// A model of an Ollama server as a Backend: loaded alone, asked with an explicit context, unloaded and verified gone at the end.
import { ToolError } from '../../core/errors.ts';
import type { ModelFacts } from '../../core/model.ts';
import type { Backend, BackendIdentity, BackendOptions } from '../../core/ports/backend.ts';
import { joinAsText } from '../../templating/chat-fallbacks.ts';
import type { ResolvedModel } from '../resolve-model.ts';
import { defaultPatience } from '../shared/ask-patiently.ts';
import { createLoadLimiter } from '../shared/load-limiter.ts';
import { requestJson } from '../shared/request-json.ts';
import { defaultTimeouts, type ServerConnection } from '../shared/server-connection.ts';
import { PassingFault } from '../shared/server-fault.ts';
import type { ServerTuning } from '../shared/server-tuning.ts';
import { describeAt, ollamaCapabilities } from './describe-ollama.ts';
import { generateAt, type OllamaContext } from './generate.ts';
import { findOllamaModel, loadedOllamaModels, ollamaVersion } from './ollama-api.ts';
import { connectOllama } from './ollama-connection.ts';
import { ollamaProcessIds } from './ollama-processes.ts';
import { gpuFraction, unloadModel, unloadOthers } from './residency.ts';

const keepAlive = '30m';

/**
 * Loads the model in Ollama.
 * @throws ToolError `transport` (not running), `not-found` (with the `ollama pull` line), `backend` (it cannot be loaded)
 */
export async function openOllamaBackend(
  model: Pick<ResolvedModel, 'url' | 'serverModel' | 'facts'>,
  options: BackendOptions = {},
  { server: tuning = {} }: { readonly server?: ServerTuning | undefined } = {},
): Promise<Backend> {
  if (options.adapters !== undefined && options.adapters.length > 0) {
    throw new ToolError('unsupported', 'Ollama takes adapters in a Modelfile only', {
      hint: 'ollama create with ADAPTER, or use the embedded engine',
    });
  }
  const connect = () => connectOllama(model.url, { totalMs: options.requestTimeoutMs ?? 0, ...tuning.timeouts }, tuning.environment);
  const connection = connect();
  try {
    const version = await ollamaVersion(connection);
    const { facts, tag, contextTokens, canThink } = await describeAt(connection, model, options);
    const context = makeContext({ connection, tag, contextTokens, canThink, options, tuning });
    if (tuning.alone !== false) await unloadOthers(connection, tag);
    const loaded = await loadModel(context);
    const served = { ...context, contextTokens: Math.min(contextTokens, loaded.contextTokens ?? contextTokens) };
    return createBackend({ context: served, facts, version, loaded, connect });
  } catch (thrown) {
    await connection.close();
    throw thrown instanceof PassingFault ? thrown.fault : thrown;
  }
}

interface ContextInput {
  readonly connection: ServerConnection;
  readonly tag: string;
  readonly contextTokens: number;
  readonly canThink: boolean | null;
  readonly options: BackendOptions;
  readonly tuning: ServerTuning;
}

function makeContext({ options, tuning, ...rest }: ContextInput): OllamaContext {
  return {
    ...rest,
    threads: options.threads,
    gpuLayers: options.gpuLayers,
    keepAlive,
    limiter: tuning.adaptive === false ? null : createLoadLimiter({ maximum: 256 }),
    patience: { ...defaultPatience, ...tuning.patience },
    timeouts: tuning.timeouts ?? {},
    extraBody: tuning.extraBody ?? {},
    traffic: { inFlight: 0, begun: 0 },
  };
}

interface LoadedFacts {
  readonly loadMs: number;
  readonly contextTokens: number | null;
  readonly gpuFraction: number | null;
}

/** Loads with the options of the requests to come (others would load it again), and times that apart from any answer. */
async function loadModel(context: OllamaContext): Promise<LoadedFacts> {
  const { connection, tag } = context;
  if (findOllamaModel(await loadedOllamaModels(connection), tag) !== undefined) await unloadModel(connection, tag);
  const options = { num_ctx: context.contextTokens, num_thread: context.threads, num_gpu: context.gpuLayers };
  const body = { model: tag, stream: false, keep_alive: keepAlive, options };
  const startMs = performance.now();
  const timeouts = { firstContentMs: defaultTimeouts.firstContentMs, stallMs: defaultTimeouts.firstContentMs };
  await requestJson(connection, { method: 'POST', path: '/api/generate', body, timeouts });
  const loadMs = performance.now() - startMs;
  const now = findOllamaModel(await loadedOllamaModels(connection), tag);
  return {
    loadMs,
    contextTokens: now?.context_length ?? null,
    gpuFraction: now === undefined ? null : gpuFraction(now),
  };
}

interface BackendParts {
  readonly context: OllamaContext;
  readonly facts: ModelFacts;
  readonly version: string;
  readonly loaded: LoadedFacts;
  readonly connect: () => ServerConnection;
}

function createBackend({ context, facts, version, loaded, connect }: BackendParts): Backend {
  const { connection } = context;
  const processIds = ollamaProcessIds(connection.address);
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    // Requests in flight end here; the farewell needs a connection of its own.
    await connection.close();
    const farewell = connect();
    try {
      await unloadModel(farewell, context.tag);
    } catch (thrown) {
      // A server that is gone holds no model.
      if (!(ToolError.isInstance(thrown) && thrown.code === 'transport')) throw thrown;
    } finally {
      await farewell.close();
    }
  };
  return {
    specificationVersion: 'v1',
    identity: describeIdentity(context, version, loaded),
    model: facts,
    capabilities: ollamaCapabilities(context.contextTokens),
    load: { loadMs: loaded.loadMs, warm: null },
    processesOutliveClose: true,
    generate: (request, requestOptions = {}) => generateAt(context, request, requestOptions),
    score: async () =>
      refuse(
        'score given continuations: it reports only tokens that it generated',
        'use the embedded engine (-m MODEL.gguf) or the generated-letter form of the task',
      ),
    rolling: async () => refuse('compute rolling log-likelihoods', 'use the embedded engine: -m MODEL.gguf'),
    render: async (prompt) => {
      if (prompt.kind === 'text') return { text: prompt.text };
      const text = joinAsText(prompt.messages);
      return { text: prompt.prefill ? `${text}\n\n${prompt.prefill}` : text };
    },
    bench: async () => refuse('run engine benchmarks', 'measure it with slmbench perf'),
    processIds: () => (closing === null ? processIds() : []),
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

function refuse(what: string, hint: string): never {
  throw new ToolError('unsupported', `Ollama cannot ${what}`, { hint });
}

function describeIdentity(context: OllamaContext, version: string, loaded: LoadedFacts): BackendIdentity {
  return {
    kind: 'ollama',
    name: 'Ollama',
    version,
    build: version,
    settings: {
      endpoint: context.connection.address.shown,
      contextTokens: context.contextTokens,
      threads: context.threads ?? null,
      gpuLayers: context.gpuLayers ?? null,
      gpuFraction: loaded.gpuFraction,
      keepAlive,
    },
  };
}
