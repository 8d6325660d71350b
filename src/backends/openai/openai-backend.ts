// Any OpenAI-compatible server as a Backend: generation by streams, log-likelihoods only where a probe proved them.
import { setTimeout as sleep } from 'node:timers/promises';
import { digestOf } from '../../core/digest.ts';
import { ToolError } from '../../core/errors.ts';
import type { ModelFacts } from '../../core/model.ts';
import type { Backend, BackendCapabilities, BackendIdentity, BackendOptions } from '../../core/ports/backend.ts';
import type { ResolvedModel } from '../resolve-model.ts';
import { askPatiently, defaultPatience } from '../shared/ask-patiently.ts';
import { createLoadLimiter } from '../shared/load-limiter.ts';
import { requestJson } from '../shared/request-json.ts';
import { parseServerAddress, type ServerAddress } from '../shared/server-address.ts';
import { defaultTimeouts, openConnection, type ServerConnection } from '../shared/server-connection.ts';
import { PassingFault } from '../shared/server-fault.ts';
import { serverProcessIds } from '../shared/server-process-ids.ts';
import { createRedactor, findApiKey } from '../shared/server-secrets.ts';
import type { ServerTuning } from '../shared/server-tuning.ts';
import { type GenerateContext, generateAt } from './generate.ts';
import { renderAt } from './render.ts';
import { requireScoring, scoreAt } from './score.ts';
import { type Complete, probeScoring, type ScoringAbility } from './scoring-probe.ts';
import { describeServer, type ServerDescription } from './server-kind.ts';

/** In-flight requests for servers that do not tell how many they work on at once. */
const usualSlots: Readonly<Record<string, number>> = { vllm: 32, sglang: 32, generic: 4 };

/**
 * Connects to the server, finds out what it is and whether it can score.
 * @throws ToolError `transport` (not running, wrong port, TLS), `access` (key), `not-found` (model, with the nearest name), `backend`
 */
export async function openOpenaiBackend(
  model: Pick<ResolvedModel, 'url' | 'serverModel' | 'facts'>,
  options: BackendOptions = {},
  { server: tuning = {} }: { readonly server?: ServerTuning | undefined } = {},
): Promise<Backend> {
  if (options.adapters !== undefined && options.adapters.length > 0) {
    throw new ToolError('unsupported', 'a server loads its adapters itself', {
      hint: 'start it with the adapter, or use the embedded engine',
    });
  }
  const connection = connect(model.url ?? '', options, tuning);
  try {
    const server = await whenReady(() => describeServer(connection, model.serverModel ?? ''));
    const context = generateContext(connection, server, options, tuning);
    const complete = completeWith(context);
    const ability = tuning.probeScoring === false ? notProbed : await probeScoring(complete, server.model.id);
    return createBackend(context, { ability, complete, facts: completeFacts(model.facts, server), options });
  } catch (thrown) {
    await connection.close();
    throw thrown;
  }
}

/** A server that is still loading its model says so with 503: it is waited for, one that is not there is not. */
async function whenReady<T>(ask: () => Promise<T>): Promise<T> {
  const startMs = performance.now();
  for (;;) {
    try {
      return await ask();
    } catch (thrown) {
      if (!(thrown instanceof PassingFault)) throw thrown;
      if (!thrown.isOverload || performance.now() - startMs > readyWithinMs) throw thrown.fault;
      await sleep(thrown.retryAfterMs ?? 500);
    }
  }
}

const readyWithinMs = 120_000;
const notProbed: ScoringAbility = { way: null, reason: 'not probed' };

function connect(url: string, options: BackendOptions, tuning: ServerTuning): ServerConnection {
  const environment = tuning.environment ?? process.env;
  const address = withVersionPath(parseServerAddress(url));
  const apiKey = findApiKey(address, environment);
  const redact = createRedactor([apiKey, ...address.secrets]);
  const timeouts = { ...defaultTimeouts, totalMs: options.requestTimeoutMs ?? 0, ...tuning.timeouts };
  const startHint = address.isLoopback ? `e.g. llama-server -m MODEL.gguf --port ${address.port}` : undefined;
  return openConnection({ address, apiKey, timeouts, environment, faults: { shown: address.shown, redact, startHint } });
}

/** `http://localhost:8080` means its API, which is below /v1. */
function withVersionPath(address: ServerAddress): ServerAddress {
  return address.basePath === '' ? { ...address, basePath: '/v1', shown: `${address.shown}/v1` } : address;
}

function generateContext(
  connection: ServerConnection,
  server: ServerDescription,
  options: BackendOptions,
  tuning: ServerTuning,
): GenerateContext {
  const maximum = 1024;
  return {
    connection,
    server,
    tuning,
    deterministic: options.deterministic === true,
    limiter: tuning.adaptive === false ? null : createLoadLimiter({ start: slotsOf(server), maximum }),
    patience: { ...defaultPatience, ...tuning.patience },
    timeouts: tuning.timeouts ?? {},
    refusedFields: new Set(),
  };
}

function slotsOf(server: ServerDescription): number {
  return server.slots ?? usualSlots[server.kind] ?? 1;
}

function completeWith({ connection, limiter, patience, timeouts }: GenerateContext): Complete {
  return (body) =>
    askPatiently(
      () =>
        requestJson(connection, {
          method: 'POST',
          path: '/completions',
          body,
          timeouts: { firstContentMs: defaultTimeouts.firstContentMs, ...timeouts },
        }),
      patience,
      limiter,
    );
}

interface Parts {
  readonly ability: ScoringAbility;
  readonly complete: Complete;
  readonly facts: ModelFacts;
  readonly options: BackendOptions;
}

function createBackend(context: GenerateContext, { ability, complete, facts, options }: Parts): Backend {
  const { connection, server } = context;
  const processIds = serverProcessIds(connection.address);
  let closed = false;
  return {
    specificationVersion: 'v1',
    identity: describeIdentity(context, ability),
    model: facts,
    capabilities: describeCapabilities(server, ability, options),
    load: { loadMs: null, warm: null },
    processesOutliveClose: true,
    generate: (request, requestOptions = {}) => generateAt(context, request, requestOptions),
    score: async (request) => scoreAt(complete, server.model.id, requireScoring(ability, connection.faults.shown), request),
    rolling: async () => refuse('compute rolling log-likelihoods', 'use the embedded engine: -m MODEL.gguf'),
    render: (prompt) => renderAt(connection, server, prompt),
    bench: async () => refuse('run engine benchmarks', 'measure the server with slmbench perf'),
    processIds: () => (closed ? [] : processIds()),
    close: async () => {
      if (closed) return;
      closed = true;
      await connection.close();
    },
  };
}

function refuse(what: string, hint: string): never {
  throw new ToolError('unsupported', `a server cannot ${what}`, { hint });
}

function describeIdentity({ connection, server, tuning, deterministic }: GenerateContext, ability: ScoringAbility): BackendIdentity {
  return {
    kind: 'openai',
    name: server.kind === 'generic' ? 'OpenAI-compatible server' : server.kind,
    version: server.version,
    build: server.version,
    settings: {
      endpoint: connection.faults.redact(connection.address.shown),
      server: server.kind,
      contextTokens: server.contextTokens,
      slots: server.slots,
      scoring: ability.way ?? 'none',
      promptCache: server.kind === 'llama-server' ? (tuning.promptCache ?? !deterministic) : null,
    },
  };
}

function describeCapabilities(server: ServerDescription, ability: ScoringAbility, options: BackendOptions): BackendCapabilities {
  const slots = options.deterministic === true ? 1 : slotsOf(server);
  return {
    generate: true,
    stream: true,
    score: ability.way !== null,
    rolling: false,
    tokenize: server.kind === 'llama-server',
    chat: true,
    bench: false,
    adapters: false,
    jsonSchema: true,
    contextTokens: server.contextTokens ?? options.contextTokens ?? null,
    preferredConcurrency: { score: slots, generate: slots },
  };
}

function completeFacts(known: ModelFacts, server: ServerDescription): ModelFacts {
  return {
    ...known,
    file: server.file ?? known.file,
    parameters: known.parameters ?? server.model.parameters,
    quantisation: known.quantisation ?? server.model.quantisation,
    sizeBytes: known.sizeBytes ?? server.model.sizeBytes,
    trainedContext: known.trainedContext ?? server.model.trainedContext,
    vocabularySize: known.vocabularySize ?? server.model.vocabularySize,
    hasChatTemplate: server.chatTemplate === null ? known.hasChatTemplate : server.chatTemplate !== '',
    chatTemplateDigest: server.chatTemplate ? digestOf(server.chatTemplate) : known.chatTemplateDigest,
  };
}
