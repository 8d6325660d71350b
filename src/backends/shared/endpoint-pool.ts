// One model behind several servers: each request goes to the endpoint with most room, a failed one is left alone for a while.
import { ToolError } from '../../core/errors.ts';
import type { Backend, BackendCapabilities } from '../../core/ports/backend.ts';

export interface EndpointPoolOptions {
  /** Requests in flight at one endpoint. @default what the backend prefers */
  readonly limit?: number | undefined;
  /** First pause after a failed connection, doubled up to a minute, ms. @default 1000 */
  readonly pauseMs?: number | undefined;
  readonly now?: (() => number) | undefined;
}

export interface EndpointState {
  readonly name: string;
  readonly inFlight: number;
  readonly limit: number;
  readonly state: 'up' | 'resting' | 'draining';
  readonly answered: number;
  readonly failures: number;
}

export interface EndpointPool extends Backend {
  readonly endpoints: () => readonly EndpointState[];
  /** Sends nothing more to an endpoint; resolves when its requests in flight have ended. */
  readonly drain: (name: string) => Promise<void>;
}

interface Endpoint {
  readonly name: string;
  readonly backend: Backend;
  readonly limit: number;
  inFlight: number;
  answered: number;
  failures: number;
  failuresInRow: number;
  restsUntil: number;
  isDraining: boolean;
}

const longestPauseMs = 60_000;

/** `http://a:1/v1+http://b:1/v1`: several addresses of one model. */
export function splitEndpoints(url: string): readonly string[] {
  return url.split(/\+(?=https?:\/\/)/);
}

/** Failures of the way to the model, after which another endpoint may answer. */
function isElsewhere(error: unknown): boolean {
  return (
    ToolError.isInstance(error) &&
    (error.code === 'transport' || error.code === 'timeout' || (error.code === 'backend' && error.isRetryable))
  );
}

/** What all endpoints can do; in flight at once: the sum. */
function sharedCapabilities(all: readonly BackendCapabilities[]): BackendCapabilities {
  const every = (key: 'generate' | 'stream' | 'score' | 'rolling' | 'tokenize' | 'chat' | 'bench' | 'adapters' | 'jsonSchema'): boolean =>
    all.every((one) => one[key]);
  const contexts = all.map((one) => one.contextTokens).filter((tokens) => tokens !== null);
  const sum = (key: 'score' | 'generate'): number => all.reduce((total, one) => total + one.preferredConcurrency[key], 0);
  return {
    generate: every('generate'),
    stream: every('stream'),
    score: every('score'),
    rolling: every('rolling'),
    tokenize: every('tokenize'),
    chat: every('chat'),
    bench: every('bench'),
    adapters: every('adapters'),
    jsonSchema: every('jsonSchema'),
    contextTokens: contexts.length === 0 ? null : Math.min(...contexts),
    preferredConcurrency: { score: sum('score'), generate: sum('generate') },
  };
}

/** @throws ToolError `config` when the endpoints do not serve the same model */
function requireOneModel(endpoints: readonly Endpoint[]): void {
  const [first, ...others] = endpoints;
  const identity = ({ backend }: Endpoint): string => `${backend.model.file ?? ''} ${backend.model.digest ?? ''}`.trim();
  const other = others.find((one) => identity(one) !== identity(first!));
  if (other === undefined) return;
  throw new ToolError('config', `${other.name} serves ${identity(other)}, ${first!.name} serves ${identity(first!)}`, {
    hint: 'start the same model on all endpoints',
  });
}

/** @param opened - endpoints by a name without secrets */
export function poolEndpoints(
  opened: readonly { readonly name: string; readonly backend: Backend }[],
  options: EndpointPoolOptions = {},
): EndpointPool {
  const now = options.now ?? (() => performance.now());
  const endpoints = opened.map(
    ({ name, backend }): Endpoint => ({
      name,
      backend,
      limit: options.limit ?? Math.max(1, backend.capabilities.preferredConcurrency.generate),
      inFlight: 0,
      answered: 0,
      failures: 0,
      failuresInRow: 0,
      restsUntil: 0,
      isDraining: false,
    }),
  );
  requireOneModel(endpoints);
  const waiting: (() => void)[] = [];
  const drains: (() => void)[] = [];
  const first = endpoints[0]!.backend;

  /** Least loaded for its limit. One that comes back from a rest gets a single request first. */
  function choose(tried: ReadonlySet<Endpoint>): Endpoint | null {
    const open = endpoints.filter(
      (one) => !one.isDraining && !tried.has(one) && one.restsUntil <= now() && one.inFlight < (one.failuresInRow > 0 ? 1 : one.limit),
    );
    return open.toSorted((a, b) => a.inFlight / a.limit - b.inFlight / b.limit || a.answered - b.answered)[0] ?? null;
  }
  async function acquire(tried: ReadonlySet<Endpoint>, signal: AbortSignal | undefined): Promise<Endpoint | null> {
    for (;;) {
      signal?.throwIfAborted();
      const endpoint = choose(tried);
      if (endpoint !== null) {
        endpoint.inFlight++;
        return endpoint;
      }
      const candidates = endpoints.filter((one) => !one.isDraining && !tried.has(one));
      if (candidates.length === 0) return null;
      const wakeMs = Math.min(...candidates.map((one) => Math.max(10, one.restsUntil - now())));
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, wakeMs);
        waiting.push(() => {
          clearTimeout(timer);
          resolve();
        });
      });
    }
  }
  function release(endpoint: Endpoint): void {
    endpoint.inFlight--;
    for (const wake of waiting.splice(0)) wake();
    for (const check of drains) check();
  }
  function failed(endpoint: Endpoint): void {
    endpoint.failures++;
    const pauseMs = Math.min(longestPauseMs, (options.pauseMs ?? 1000) * 2 ** endpoint.failuresInRow++);
    endpoint.restsUntil = now() + pauseMs;
  }
  async function ask<T>(work: (backend: Backend) => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
    const tried = new Set<Endpoint>();
    let last: unknown = new ToolError('transport', 'every endpoint is draining');
    for (;;) {
      const endpoint = await acquire(tried, signal);
      if (endpoint === null) throw last;
      try {
        const answer = await work(endpoint.backend);
        endpoint.answered++;
        endpoint.failuresInRow = 0;
        return answer;
      } catch (error) {
        if (signal?.aborted === true || !isElsewhere(error)) throw error;
        failed(endpoint);
        tried.add(endpoint);
        last = error;
      } finally {
        release(endpoint);
      }
    }
  }
  return {
    specificationVersion: 'v1',
    identity: { ...first.identity, settings: { ...first.identity.settings, endpoints: endpoints.length } },
    model: first.model,
    capabilities: sharedCapabilities(endpoints.map(({ backend }) => backend.capabilities)),
    load: first.load,
    generate: (request, given) => ask((backend) => backend.generate(request, given), given?.signal),
    score: (request, given) => ask((backend) => backend.score(request, given), given?.signal),
    rolling: (request, given) => ask((backend) => backend.rolling(request, given), given?.signal),
    render: (prompt) => ask((backend) => backend.render(prompt), undefined),
    bench: (request, given) => first.bench(request, given),
    processIds: () => endpoints.flatMap(({ backend }) => backend.processIds()),
    processesOutliveClose: true,
    close: async () => {
      await Promise.all(endpoints.map(({ backend }) => backend.close()));
    },
    endpoints: () =>
      endpoints.map(({ name, inFlight, limit, answered, failures, restsUntil, isDraining }) => ({
        name,
        inFlight,
        limit,
        answered,
        failures,
        state: isDraining ? 'draining' : restsUntil > now() ? 'resting' : 'up',
      })),
    drain: (name) => {
      const endpoint = endpoints.find((one) => one.name === name);
      if (endpoint === undefined) throw new ToolError('not-found', `no endpoint "${name}"`);
      endpoint.isDraining = true;
      return new Promise((resolve) => {
        const check = (): void => {
          if (endpoint.inFlight === 0) resolve();
        };
        drains.push(check);
        check();
      });
    },
  };
}

/** Opens every address of a model; a single address stays as it is. */
export async function openEndpoints(url: string, open: (url: string) => Promise<Backend>): Promise<Backend> {
  const urls = splitEndpoints(url);
  if (urls.length === 1) return open(url);
  const opened: { name: string; backend: Backend }[] = [];
  try {
    for (const one of urls) opened.push({ name: new URL(one).host, backend: await open(one) });
    return poolEndpoints(opened);
  } catch (error) {
    for (const { backend } of opened) await backend.close();
    throw error;
  }
}
