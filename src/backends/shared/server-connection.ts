// HTTP to one server for measuring: pooled connections, a time stamp per network block, time-outs per phase, nothing followed or hidden.
import { subscribe } from 'node:diagnostics_channel';
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { type Dispatcher, EnvHttpProxyAgent, Pool } from 'undici';
import { ToolError } from '../../core/errors.ts';
import type { ServerAddress } from './server-address.ts';
import { connectionFault, type FaultContext, PassingFault, statusFault } from './server-fault.ts';
import { keyVariables } from './server-secrets.ts';

export interface Timeouts {
  /** Until a connection stands. @default 10 s */
  readonly connectMs: number;
  /** From hand-over to the first content (a server may load the model first). @default 10 min */
  readonly firstContentMs: number;
  /** Between two pieces of content. @default 2 min */
  readonly stallMs: number;
  /** The whole request; 0 is no limit. */
  readonly totalMs: number;
}

export const defaultTimeouts: Timeouts = { connectMs: 10_000, firstContentMs: 600_000, stallMs: 120_000, totalMs: 0 };

export interface Exchange {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the server's base path; with `fromOrigin` below its origin. */
  readonly path: string;
  readonly fromOrigin?: boolean | undefined;
  readonly body?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly timeouts?: Partial<Timeouts> | undefined;
}

/** Takes a successful reply. What it throws ends the exchange. */
export interface ReplySink {
  readonly onStart?: ((headers: Headers, status: number) => void) | undefined;
  /**
   * `content` also restarts the stall clock; after `done` (the last word was read) the reply's own end is waited for briefly,
   * so that the connection can be used again; `stop` cuts the reply off.
   */
  readonly onBlock: (block: Buffer, atMs: number) => 'more' | 'content' | 'done' | 'stop';
  /** The reply ended by itself. */
  readonly onEnd?: (() => void) | undefined;
}

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface ExchangeFacts {
  readonly status: number;
  readonly headers: Headers;
  /** Monotonic ms (`performance.now`): request written, headers in, reply over. */
  readonly sentAtMs: number;
  readonly headersAtMs: number;
  readonly endAtMs: number;
  readonly connectionReused: boolean | null;
}

export interface ServerConnection {
  readonly address: ServerAddress;
  readonly faults: FaultContext;
  /** When the current exchange's request was written; for sinks that stamp relative to it. */
  readonly exchange: (exchange: Exchange, sink: ReplySink, onSent?: (atMs: number) => void) => Promise<ExchangeFacts>;
  readonly close: () => Promise<void>;
}

export interface ConnectionOptions {
  readonly address: ServerAddress;
  readonly faults: FaultContext;
  readonly apiKey: string | null;
  readonly timeouts: Timeouts;
  readonly environment?: Readonly<Record<string, string | undefined>> | undefined;
}

const maxErrorBody = 65_536;
/** Time for a server to end its reply after its last word, so that the connection can be used again. */
const lingerMs = 100;

export function openConnection(options: ConnectionOptions): ServerConnection {
  const { address, apiKey } = options;
  const proxies = proxiesFor(options);
  const dispatcher = makeDispatcher(options, proxies);
  const faults = proxies === null ? options.faults : { ...options.faults, proxy: shownProxy(proxies, address.origin) };
  if (apiKey !== null && /[^\u0021-\u007e]/u.test(apiKey)) {
    throw new ToolError('usage', "the server's key has spaces or characters that no header can carry", {
      hint: `check ${keyVariables.join(' or ')}`,
    });
  }
  const headers: Record<string, string> = { 'user-agent': 'slmbench', accept: '*/*' };
  if (apiKey !== null) headers['authorization'] = `Bearer ${apiKey}`;
  else if (address.authorization !== null) headers['authorization'] = address.authorization;
  watchSockets();
  let closed = false;
  return {
    address,
    faults,
    exchange: (exchange, sink, onSent) => {
      if (closed) return Promise.reject(new ToolError('backend', 'the backend is closed'));
      const timeouts = { ...options.timeouts, ...exchange.timeouts };
      return new Promise((resolve, reject) => {
        const handler = new ExchangeHandler({ exchange, sink, timeouts, faults, onSent: onSent ?? (() => {}), resolve, reject });
        if (handler.isOver) return;
        const body = exchange.body === undefined ? null : JSON.stringify(exchange.body);
        dispatcher.dispatch(
          {
            origin: address.origin,
            path: `${exchange.fromOrigin === true ? '' : address.basePath}${exchange.path}${address.query}`,
            method: exchange.method,
            headers: body === null ? headers : { ...headers, 'content-type': 'application/json' },
            body,
            // Every request in flight has a connection of its own: nothing waits behind another answer.
            blocking: false,
          },
          handler,
        );
      });
    },
    close: async () => {
      closed = true;
      await dispatcher.destroy(new ToolError('backend', 'the backend is closed'));
    },
  };
}

interface Proxies {
  readonly httpProxy: string;
  readonly httpsProxy: string;
  readonly noProxy: string;
}

/** null where the server is asked directly: on this machine always. */
function proxiesFor({ address, environment = process.env }: ConnectionOptions): Proxies | null {
  const read = (name: string) => environment[name.toLowerCase()] || environment[name] || '';
  const proxies = {
    httpProxy: read('HTTP_PROXY') || read('ALL_PROXY'),
    httpsProxy: read('HTTPS_PROXY') || read('ALL_PROXY'),
    noProxy: read('NO_PROXY'),
  };
  return address.isLoopback || (proxies.httpProxy === '' && proxies.httpsProxy === '') ? null : proxies;
}

/** Without user and password; undefined where none serves this kind of address, or this host is asked directly. */
function shownProxy({ httpProxy, httpsProxy, noProxy }: Proxies, origin: string): string | undefined {
  const { protocol, hostname } = new URL(origin);
  const excluded = noProxy.split(/[\s,]+/u).map((entry) => entry.replace(/:\d+$/u, '').replace(/^\*?\./u, ''));
  if (excluded.some((entry) => entry === '*' || (entry !== '' && (hostname === entry || hostname.endsWith(`.${entry}`))))) return undefined;
  const proxy = protocol === 'https:' ? httpsProxy : httpProxy;
  return proxy === '' ? undefined : URL.canParse(proxy) ? new URL(proxy).host : 'of the environment';
}

function makeDispatcher({ address, timeouts, environment = process.env }: ConnectionOptions, proxies: Proxies | null): Dispatcher {
  const common = {
    headersTimeout: 0,
    bodyTimeout: 0,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: 4000,
    keepAliveTimeoutThreshold: 500,
  };
  const connect = { timeout: timeouts.connectMs, ...extraAuthorities(environment) };
  if (proxies === null) return new Pool(address.origin, { ...common, connections: null, connect });
  return new EnvHttpProxyAgent({ ...common, connect, ...proxies });
}

/** Node reads NODE_EXTRA_CA_CERTS at its start only; a library user may set it later. */
function extraAuthorities(environment: Readonly<Record<string, string | undefined>>): { readonly ca?: Buffer } {
  const file = environment === process.env ? undefined : environment['NODE_EXTRA_CA_CERTS'];
  return file === undefined ? {} : { ca: readFileSync(file) };
}

interface HandlerInput {
  readonly exchange: Exchange;
  readonly sink: ReplySink;
  readonly timeouts: Timeouts;
  readonly faults: FaultContext;
  readonly onSent: (atMs: number) => void;
  readonly resolve: (facts: ExchangeFacts) => void;
  readonly reject: (error: unknown) => void;
}

/** One time stamp per network block: the pieces that undici cuts out of a block came at the same moment. */
let blockStamp = 0;
function stampBlock(): number {
  if (blockStamp === 0) {
    blockStamp = performance.now();
    process.nextTick(() => {
      blockStamp = 0;
    });
  }
  return blockStamp;
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  isOver = false;
  connectionReused: boolean | null = null;
  readonly #input: HandlerInput;
  readonly #onAbort: () => void;
  #controller: Dispatcher.DispatchController | null = null;
  #sentAtMs = 0;
  #headersAtMs = 0;
  #status = 0;
  #headers: Headers = {};
  #errorBody: Buffer[] | null = null;
  #errorBytes = 0;
  #hadContent = false;
  #lastWordAtMs: number | null = null;
  #phaseTimer: NodeJS.Timeout | null = null;
  #totalTimer: NodeJS.Timeout | null = null;

  constructor(input: HandlerInput) {
    this.#input = input;
    const { signal } = input.exchange;
    this.#onAbort = () => this.#fail(new ToolError('interrupted', 'the request was cancelled'));
    if (signal?.aborted === true) this.#onAbort();
    else signal?.addEventListener('abort', this.#onAbort, { once: true });
    const { totalMs } = input.timeouts;
    if (totalMs > 0 && !this.isOver)
      this.#totalTimer = setTimeout(() => this.#fail(tooLong(`the whole answer did not come within ${seconds(totalMs)}`)), totalMs);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    if (this.isOver) {
      controller.abort(new Error('over'));
      return;
    }
    starting = this;
    this.#handOver();
    const { firstContentMs } = this.#input.timeouts;
    this.#phaseTimer = setTimeout(() => this.#fail(tooLong(`no content came within ${seconds(firstContentMs)}`)), firstContentMs);
  }

  /** The bytes are about to be written: stamped before, since the server may read them before the write returns. */
  onWriting(isReused: boolean): void {
    this.connectionReused = isReused;
    this.#handOver();
  }

  #handOver(): void {
    this.#sentAtMs = performance.now();
    this.#input.onSent(this.#sentAtMs);
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (this.isOver || status < 200) return;
    this.#headersAtMs = stampBlock();
    this.#status = status;
    this.#headers = headers;
    if (status >= 300) this.#errorBody = [];
    else this.#guard(() => this.#input.sink.onStart?.(headers, status));
  }

  onResponseData(_controller: Dispatcher.DispatchController, block: Buffer): void {
    const atMs = stampBlock();
    if (this.isOver || this.#lastWordAtMs !== null) return;
    if (this.#errorBody !== null) {
      if ((this.#errorBytes += block.length) <= maxErrorBody) this.#errorBody.push(block);
      else this.#failByStatus();
      return;
    }
    const wish = this.#guard(() => this.#input.sink.onBlock(block, atMs));
    if (wish === 'stop') {
      this.#succeed(atMs);
      this.#controller?.abort(new Error('over'));
    } else if (wish === 'done') this.#linger(atMs);
    else if (wish === 'content') this.#contentCame();
  }

  onResponseEnd(): void {
    if (this.isOver || this.#errorBody !== null) {
      if (this.isOver) this.#clearTimers();
      else this.#failByStatus();
      return;
    }
    const atMs = this.#lastWordAtMs ?? stampBlock();
    if (this.#lastWordAtMs === null) this.#guard(() => this.#input.sink.onEnd?.());
    if (!this.isOver) this.#succeed(atMs);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#lastWordAtMs !== null && !this.isOver) this.#succeed(this.#lastWordAtMs);
    else {
      const fault = connectionFault(error, this.#input.faults, this.#hadContent);
      if (fault instanceof PassingFault) fault.isStale = this.connectionReused === true && this.#headersAtMs === 0;
      this.#fail(fault);
    }
  }

  /** What the sink throws must end this exchange, not the connection pool. */
  #guard<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (thrown) {
      this.#fail(thrown);
      return undefined;
    }
  }

  #contentCame(): void {
    if (this.#hadContent) {
      this.#phaseTimer?.refresh();
      return;
    }
    this.#hadContent = true;
    if (this.#phaseTimer !== null) clearTimeout(this.#phaseTimer);
    const { stallMs } = this.#input.timeouts;
    this.#phaseTimer = setTimeout(() => this.#fail(tooLong(`the stream stalled: no content for ${seconds(stallMs)}`)), stallMs);
  }

  #failByStatus(): void {
    const body = Buffer.concat(this.#errorBody ?? []).toString('utf8');
    const { exchange, faults } = this.#input;
    this.#fail(statusFault({ status: this.#status, headers: this.#headers, body, path: exchange.path }, faults));
  }

  #linger(atMs: number): void {
    this.#lastWordAtMs = atMs;
    this.#clearTimers();
    this.#phaseTimer = setTimeout(() => {
      if (!this.isOver) this.#succeed(atMs);
      this.#controller?.abort(new Error('over'));
    }, lingerMs);
  }

  #succeed(endAtMs: number): void {
    this.#settle();
    const facts = {
      status: this.#status,
      headers: this.#headers,
      sentAtMs: this.#sentAtMs,
      headersAtMs: this.#headersAtMs,
      endAtMs,
      connectionReused: this.connectionReused,
    };
    // undici frees a connection one turn after its answer: told earlier, the caller's next request would open another one.
    setImmediate(setImmediate, () => this.#input.resolve(facts));
  }

  #fail(error: unknown): void {
    if (this.isOver) return;
    this.#settle();
    this.#controller?.abort(new Error('over'));
    this.#input.reject(error);
  }

  #settle(): void {
    this.isOver = true;
    this.#clearTimers();
    this.#input.exchange.signal?.removeEventListener('abort', this.#onAbort);
  }

  #clearTimers(): void {
    if (this.#phaseTimer !== null) clearTimeout(this.#phaseTimer);
    if (this.#totalTimer !== null) clearTimeout(this.#totalTimer);
  }
}

/** The handler whose request is being written at this moment. */
let starting: ExchangeHandler | null = null;
const usedSockets = new WeakSet<Socket>();
let watching = false;

/** undici names the socket of a request only on its diagnostics channel, between `onRequestStart` and the write, in one turn. */
function watchSockets(): void {
  if (watching) return;
  watching = true;
  subscribe('undici:client:sendHeaders', (message) => {
    const { socket } = message as { readonly socket: Socket };
    starting?.onWriting(usedSockets.has(socket));
    usedSockets.add(socket);
    starting = null;
  });
}

function tooLong(message: string): ToolError {
  return new ToolError('timeout', message, { hint: 'raise the time-out, or look at what the server is doing' });
}

function seconds(durationMs: number): string {
  return durationMs < 1000 ? `${durationMs} ms` : `${durationMs / 1000} s`;
}
