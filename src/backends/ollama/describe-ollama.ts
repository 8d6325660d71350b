// What an Ollama server says about a model, without loading it.
import { ToolError } from '../../core/errors.ts';
import type { ModelFacts } from '../../core/model.ts';
import type { BackendCapabilities, BackendOptions } from '../../core/ports/backend.ts';
import type { ResolvedModel } from '../resolve-model.ts';
import type { ServerConnection } from '../shared/server-connection.ts';
import type { ServerTuning } from '../shared/server-tuning.ts';
import { requireAvailable } from './check-available.ts';
import { findOllamaModel, listOllamaModels, showOllamaModel } from './ollama-api.ts';
import { connectOllama } from './ollama-connection.ts';
import { ollamaFacts } from './ollama-facts.ts';

/** Context that is asked for where the user names none; Ollama's own default changed between versions. */
const usualContext = 4096;

export interface OllamaDescription {
  readonly facts: ModelFacts;
  readonly capabilities: BackendCapabilities;
  /** The tag as Ollama lists it. */
  readonly tag: string;
  readonly contextTokens: number;
  /** null where the server does not tell. */
  readonly canThink: boolean | null;
}

type ModelAtServer = Pick<ResolvedModel, 'url' | 'serverModel' | 'facts'>;

/** @throws ToolError `transport`, or `not-found` with the pull line */
export async function describeOllama(model: ModelAtServer, options: BackendOptions, tuning: ServerTuning = {}): Promise<OllamaDescription> {
  const connection = connectOllama(model.url, tuning.timeouts, tuning.environment);
  try {
    return await describeAt(connection, model, options);
  } finally {
    await connection.close();
  }
}

export async function describeAt(connection: ServerConnection, model: ModelAtServer, options: BackendOptions): Promise<OllamaDescription> {
  const listed = await requireAvailable(connection, model.serverModel ?? '');
  const shown = await showOllamaModel(connection, listed.name);
  const facts = ollamaFacts(listed, shown, model.facts);
  const contextTokens = options.contextTokens ?? Math.min(usualContext, facts.trainedContext ?? usualContext);
  const canThink = shown.capabilities === null || shown.capabilities === undefined ? null : shown.capabilities.includes('thinking');
  return { facts, capabilities: ollamaCapabilities(contextTokens), tag: listed.name, contextTokens, canThink };
}

export function ollamaCapabilities(contextTokens: number): BackendCapabilities {
  return {
    generate: true,
    stream: true,
    score: false,
    rolling: false,
    tokenize: false,
    chat: true,
    bench: false,
    adapters: false,
    jsonSchema: true,
    contextTokens,
    // Ollama answers one request after the other unless OLLAMA_NUM_PARALLEL says otherwise.
    preferredConcurrency: { score: 1, generate: 1 },
  };
}

/** What an Ollama server on this machine has, asked quickly, as a question by tag; nothing where none runs. */
export async function tagsInOllama(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<(tag: string) => boolean> {
  const quick = { connectMs: 300, firstContentMs: 1000, totalMs: 1500 };
  const connection = connectOllama(undefined, quick, environment);
  try {
    const models = connection.address.isLoopback ? await listOllamaModels(connection) : [];
    return (tag) => findOllamaModel(models, tag) !== undefined;
  } catch (thrown) {
    if (ToolError.isInstance(thrown)) return () => false;
    throw thrown;
  } finally {
    await connection.close();
  }
}
