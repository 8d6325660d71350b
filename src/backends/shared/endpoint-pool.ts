// One model behind several servers: each request goes to the endpoint with most room, a failed one rests until it is well again.
import { ToolError } from '../../core/errors.ts';
import type { Backend, BackendCapabilities } from '../../core/ports/backend.ts';

export interface EndpointSource {
  /** Host and port: a name without secrets. */
  readonly name: string;
  /** Requests in flight at most; null: what the backend prefers. */
  readonly limit: number | null;
  /** Connects and finds out what is served there: also the health check of an endpoint that failed. */
  readonly open: () => Promise<Backend>;
}

export interface EndpointPoolOptions {
  /** First pause after a failed connection, doubled up to a minute, ms. @default 1000 */
  readonly pauseMs?: number | undefined;
  /** Failures in a row after which an endpoint is no longer waited for, and of one request before it is given up. @default 5 */
  readonly patience?: number | undefined;
  readonly onClose?: (() => void) | undefined;
}

export interface EndpointState {
  readonly name: string;
  readonly inFlight: number;
  readonly limit: number;
  readonly state: 'up' | 'resting' | 'draining' | 'refused';
  readonly answered: number;
  readonly failures: number;
}

export interface EndpointPool extends Backend {
  readonly endpoints: () => readonly EndpointState[];
  /** Endpoints that get no new requests from now on; what is in flight there ends. Those not named are used again. */
  readonly drain: (names: ReadonlySet<string>) => void;
}

interface Endpoint {
  readonly source: EndpointSource;
  /** null: not reached yet. */
  backend: Backend | null;
  inFlight: number;
  answered: number;
  failures: number;
  failuresInRow: number;
  restsUntil: number;
  /** Failed, and its health is not proven since. */
  isSick: boolean;
  isDraining: boolean;
  /** Serves another model, or less than the others: never used. */
  refusal: ToolError | null;
}

const longestPauseMs = 60_000;
const defaultPatience = 5;
const abilities = ['generate', 'stream', 'score', 'rolling', 'tokenize', 'chat', 'bench', 'adapters', 'jsonSchema'] as const;

/** Failures of the way to the model, after which another endpoint may answer. */
function isElsewhere(error: unknown): boolean {
  return (
    ToolError.isInstance(error) &&
    (error.code === 'transport' || error.code === 'timeout' || (error.code === 'backend' && error.isRetryable))
  );
}

function limitOf({ source, backend }: Endpoint, kind: 'score' | 'generate' = 'generate'): number {
  return source.limit ?? Math.max(1, backend?.capabilities.preferredConcurrency[kind] ?? 1);
}

/** What all endpoints can do; in flight at once: the sum. */
function sharedCapabilities(endpoints: readonly Endpoint[]): BackendCapabilities {
  const all = endpoints.flatMap(({ backend }) => backend?.capabilities ?? []);
  const contexts = all.map((one) => one.contextTokens).filter((tokens) => tokens !== null);
  const sum = (kind: 'score' | 'generate'): number => endpoints.reduce((total, one) => total + limitOf(one, kind), 0);
  return {
    ...(Object.fromEntries(abilities.map((key) => [key, all.every((one) => one[key])])) as Record<(typeof abilities)[number], boolean>),
    contextTokens: contexts.length === 0 ? null : Math.min(...contexts),
    preferredConcurrency: { score: sum('score'), generate: sum('generate') },
  };
}

function identityOf({ model }: Backend): string {
  return `${model.file ?? ''} ${model.digest ?? ''}`.trim();
}

class Pool {
  readonly #endpoints: readonly Endpoint[];
  readonly #options: EndpointPoolOptions;
  readonly #patience: number;
  readonly #waiting = new Set<() => void>();
  #isClosed = false;

  constructor(sources: readonly EndpointSource[], options: EndpointPoolOptions) {
    this.#options = options;
    this.#patience = options.patience ?? defaultPatience;
    this.#endpoints = sources.map((source) => ({
      source,
      backend: null,
      inFlight: 0,
      answered: 0,
      failures: 0,
      failuresInRow: 0,
      restsUntil: 0,
      isSick: false,
      isDraining: false,
      refusal: null,
    }));
  }

  /** Reaches as many endpoints as can be reached; one is enough to begin with. */
  async open(): Promise<EndpointPool> {
    const opened = await Promise.allSettled(this.#endpoints.map(({ source }) => source.open()));
    const failures: unknown[] = [];
    for (const [index, result] of opened.entries()) {
      const endpoint = this.#endpoints[index]!;
      if (result.status === 'fulfilled') endpoint.backend = result.value;
      else if (isElsewhere(result.reason)) {
        failures.push(result.reason);
        this.#failed(endpoint);
      } else return this.#giveUp(result.reason);
    }
    const first = this.#endpoints.find(({ backend }) => backend !== null);
    if (first === undefined) return this.#giveUp(failures[0]);
    for (const endpoint of this.#endpoints) {
      const refusal = endpoint.backend === null ? null : refusalOf(endpoint.source.name, endpoint.backend, first);
      if (refusal !== null) return this.#giveUp(refusal);
    }
    return this.#facade(first.backend!);
  }

  async #giveUp(reason: unknown): Promise<never> {
    await this.close();
    throw reason;
  }

  /** Least loaded for its limit. One that comes back from a rest gets a single request first. */
  #choose(tried: ReadonlySet<Endpoint>): Endpoint | null {
    const now = performance.now();
    let best: Endpoint | null = null;
    for (const one of this.#endpoints) {
      if (one.isDraining || one.isSick || one.backend === null || one.refusal !== null || tried.has(one) || one.restsUntil > now) continue;
      if (one.inFlight >= (one.failuresInRow > 0 ? 1 : limitOf(one))) continue;
      if (best === null || this.#load(one) < this.#load(best) || (this.#load(one) === this.#load(best) && one.answered < best.answered))
        best = one;
    }
    return best;
  }

  #load(endpoint: Endpoint): number {
    return endpoint.inFlight / limitOf(endpoint);
  }

  /** No request waits for it; it is looked at again all the same. */
  #isHopeless({ refusal, isSick, failuresInRow }: Endpoint): boolean {
    return refusal !== null || (isSick && failuresInRow >= this.#patience);
  }

  /** null: there is none to wait for. */
  async #acquire(tried: ReadonlySet<Endpoint>, signal: AbortSignal | undefined): Promise<Endpoint | null> {
    for (;;) {
      signal?.throwIfAborted();
      const endpoint = this.#choose(tried);
      if (endpoint !== null) {
        endpoint.inFlight++;
        return endpoint;
      }
      if (this.#isClosed || this.#endpoints.every((one) => tried.has(one) || this.#isHopeless(one))) return null;
      await new Promise<void>((resolve) => {
        const wake = (): void => {
          this.#waiting.delete(wake);
          signal?.removeEventListener('abort', wake);
          resolve();
        };
        this.#waiting.add(wake);
        signal?.addEventListener('abort', wake, { once: true });
      });
    }
  }

  #wakeAll(): void {
    for (const wake of [...this.#waiting]) wake();
  }

  #failed(endpoint: Endpoint): void {
    endpoint.failures++;
    // Requests in flight together that fail together are one failure.
    if (endpoint.isSick) return;
    const pauseMs = Math.min(longestPauseMs, (this.#options.pauseMs ?? 1000) * 2 ** endpoint.failuresInRow++);
    endpoint.restsUntil = performance.now() + pauseMs;
    endpoint.isSick = true;
    setTimeout(() => void this.#examine(endpoint), pauseMs).unref();
  }

  /** After its rest: is it there again, and does it serve the same model? */
  async #examine(endpoint: Endpoint): Promise<void> {
    if (this.#isClosed) return;
    try {
      const backend = await endpoint.source.open();
      const others = this.#endpoints.find((one) => one.backend !== null)!;
      endpoint.refusal = refusalOf(endpoint.source.name, backend, others);
      if (endpoint.backend === null && endpoint.refusal === null && !this.#isClosed) endpoint.backend = backend;
      else await backend.close();
      endpoint.isSick = false;
    } catch (error) {
      endpoint.isSick = false;
      if (isElsewhere(error)) this.#failed(endpoint);
      else
        endpoint.refusal = ToolError.isInstance(error)
          ? error
          : new ToolError('backend', `${endpoint.source.name} cannot be used`, { cause: error });
    }
    this.#wakeAll();
  }

  async #ask<T>(work: (backend: Backend) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const tried = new Set<Endpoint>();
    let last: unknown = new ToolError('transport', 'no endpoint can be used');
    let failures = 0;
    for (;;) {
      const endpoint = await this.#acquire(tried, signal);
      if (endpoint === null) {
        // What no server took may be sent again; what took too long is asked once of each.
        if (tried.size === 0 || failures >= this.#patience || (last as ToolError).code !== 'transport') throw last;
        tried.clear();
        continue;
      }
      try {
        const answer = await work(endpoint.backend!);
        endpoint.answered++;
        endpoint.failuresInRow = 0;
        return answer;
      } catch (error) {
        if (signal?.aborted === true || !isElsewhere(error)) throw error;
        this.#failed(endpoint);
        tried.add(endpoint);
        last = error;
        failures++;
      } finally {
        endpoint.inFlight--;
        this.#wakeAll();
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#options.onClose?.();
    this.#wakeAll();
    await Promise.all(this.#endpoints.map(({ backend }) => backend?.close()));
  }

  #facade(first: Backend): EndpointPool {
    const endpoints = this.#endpoints;
    const usable = (): readonly Endpoint[] => endpoints.filter(({ backend, refusal }) => backend !== null && refusal === null);
    return {
      specificationVersion: 'v1',
      get identity() {
        const up = usable().length;
        const settings = {
          ...first.identity.settings,
          endpoints: endpoints.length,
          ...(up < endpoints.length ? { endpointsReached: up } : {}),
        };
        return { ...first.identity, settings };
      },
      model: first.model,
      get capabilities() {
        return sharedCapabilities(usable());
      },
      load: first.load,
      generate: (request, given) => this.#ask((backend) => backend.generate(request, given), given?.signal),
      score: (request, given) => this.#ask((backend) => backend.score(request, given), given?.signal),
      rolling: (request, given) => this.#ask((backend) => backend.rolling(request, given), given?.signal),
      render: (prompt) => this.#ask((backend) => backend.render(prompt), undefined),
      bench: (request, given) => first.bench(request, given),
      processIds: () => endpoints.flatMap(({ backend }) => backend?.processIds() ?? []),
      processesOutliveClose: true,
      close: () => this.close(),
      endpoints: () => endpoints.map(stateOf),
      drain: (names) => {
        for (const endpoint of endpoints) endpoint.isDraining = names.has(endpoint.source.name);
        this.#wakeAll();
      },
    };
  }
}

function stateOf(endpoint: Endpoint): EndpointState {
  const { source, inFlight, answered, failures, restsUntil, isSick, isDraining, refusal } = endpoint;
  const rests = isSick || restsUntil > performance.now();
  const state = refusal !== null ? 'refused' : isDraining ? 'draining' : rests ? 'resting' : 'up';
  return { name: source.name, inFlight, limit: limitOf(endpoint), answered, failures, state };
}

/** Why an endpoint cannot stand beside another one, or null: it serves another model, or cannot do what the other can. */
function refusalOf(name: string, backend: Backend, other: Endpoint): ToolError | null {
  const model = other.backend!;
  if (identityOf(backend) !== identityOf(model)) {
    return new ToolError('config', `${name} serves ${identityOf(backend)}, ${other.source.name} serves ${identityOf(model)}`, {
      hint: 'start the same model on all endpoints',
    });
  }
  if (model.capabilities.score && !backend.capabilities.score) {
    return new ToolError('config', `${name} cannot score given continuations, ${other.source.name} can`, {
      hint: 'start the same server with the same options on all endpoints',
    });
  }
  return null;
}

/**
 * @throws ToolError `config` when the endpoints do not serve the same model; what opening says when none can be reached, or when one
 * refuses for another reason than the way to it
 */
export function openEndpointPool(sources: readonly EndpointSource[], options: EndpointPoolOptions = {}): Promise<EndpointPool> {
  return new Pool(sources, options).open();
}
