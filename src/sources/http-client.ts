// One GET or HEAD over HTTP: redirects are followed by hand so that every hop is checked and no secret changes host.
import { lookup as dnsLookup } from 'node:dns';
import { lookup as resolveName } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, type Dispatcher, EnvHttpProxyAgent, request } from 'undici';
import { messageOf, ToolError } from '../core/errors.ts';
import { type AddressClass, classifyAddress } from './address-guard.ts';
import { environmentOf, type SourceContext } from './source-context.ts';
import { redactUrl } from './source-reference.ts';

export interface HttpRequest {
  readonly method?: 'GET' | 'HEAD';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent to the origin of the first URL only. */
  readonly bearerToken?: string | undefined;
  /** False: a redirect is returned as it is. A path-only redirect (renamed repository) is always followed. @default true */
  readonly followToOtherHosts?: boolean;
}

export interface HttpResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Dispatcher.ResponseData['body'];
  /** Where the last hop ended. */
  readonly url: string;
  /** Releases the connections; call it when the body is read or not wanted. */
  readonly close: () => Promise<void>;
}

/** Hosts that did not answer, until when they are not asked again: a run with many files must not wait for each of them. */
const silentUntilMs = new Map<string, number>();
const silenceMs = 30_000;

const redirectStatus = new Set([301, 302, 303, 307, 308]);
const maxHops = 8;
const bodyStallMs = 30_000;
const busyAttempts = 4;
const longestWaitSeconds = 60;

/** The first value of a header. */
export function headerOf(response: Pick<HttpResponse, 'headers'>, name: string): string | undefined {
  const value = response.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/**
 * Sends a request and follows redirects.
 *
 * A URL that the user named may point anywhere. A redirect, or a URL that comes from data, may reach a public address or,
 * for redirects, the same class of address as the user's own URL (a mirror in a private network may redirect inside it);
 * link-local addresses (cloud metadata) never. Names are checked after DNS, on the very address that is connected to.
 * @throws ToolError `unavailable` offline or when a host does not answer in time, `access` for a refused address, `interrupted`
 */
export async function sendRequest(url: string, options: HttpRequest, context: SourceContext): Promise<HttpResponse> {
  if (context.offline) {
    throw new ToolError('unavailable', `offline: ${redactUrl(url)} was not requested`, {
      hint: 'run once without --offline while connected: what was fetched stays in the cache',
    });
  }
  const allowed = new Set<AddressClass>(['public']);
  const hop = { count: 0, trusted: context.urlsFrom !== 'data' };
  const check = (host: string, address: string): void => {
    const kind = classifyAddress(address);
    if (hop.trusted) allowed.add(kind === 'link-local' ? 'public' : kind);
    else if (!allowed.has(kind)) {
      throw new ToolError('access', `refused to connect to ${host} (${kind} address ${address}) at hop ${hop.count}`, {
        hint: 'addresses that come from data or redirects may not reach into this machine or network',
      });
    }
  };
  const dispatcher = makeDispatcher(check, context);
  const close = () => dispatcher.destroy();
  try {
    const firstOrigin = new URL(url).origin;
    let current = url;
    for (hop.count = 1; hop.count <= maxHops; hop.count++) {
      const target = parseHttpUrl(current);
      if (isIP(target.hostname.replace(/^\[|\]$/g, '')) !== 0) check(target.hostname, target.hostname);
      if (!hop.trusted && usesProxy(context)) await checkResolved(target.hostname, check);
      const token = target.origin === firstOrigin ? options.bearerToken : undefined;
      const response = await sendPatiently(target, options, token, dispatcher, context);
      const location = headerOf(response, 'location');
      if (!redirectStatus.has(response.statusCode) || location === undefined) return toResponse(response, current, close);
      const next = new URL(location, current);
      if (options.followToOtherHosts === false && next.origin !== target.origin) return toResponse(response, current, close);
      await response.body.dump();
      hop.trusted = false;
      current = next.href;
    }
    throw new ToolError('unavailable', `${redactUrl(url)} redirects more than ${maxHops} times`);
  } catch (thrown) {
    await close();
    throw asToolError(thrown, url, context);
  }
}

function toResponse(response: Dispatcher.ResponseData, url: string, close: () => Promise<void>): HttpResponse {
  return { status: response.statusCode, headers: response.headers, body: response.body, url, close };
}

function parseHttpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new ToolError('access', `refused "${redactUrl(text)}": only http and https addresses are fetched`);
  }
  return url;
}

/** A server that says it is busy is asked again when it says so. */
async function sendPatiently(url: URL, options: HttpRequest, token: string | undefined, dispatcher: Dispatcher, context: SourceContext) {
  for (let attempt = 1; ; attempt++) {
    const response = await sendOnce(url, options, token, dispatcher, context);
    const seconds = Number(headerOf(response, 'retry-after') ?? 1);
    if (response.statusCode !== 429 || attempt === busyAttempts || !(seconds <= longestWaitSeconds)) return response;
    await response.body.dump();
    await sleep(seconds * 1000, undefined, { signal: context.signal });
  }
}

async function sendOnce(url: URL, options: HttpRequest, token: string | undefined, dispatcher: Dispatcher, context: SourceContext) {
  const timeoutMs = answerTimeoutMs(context);
  const abort = new AbortController();
  const silence = () =>
    new ToolError('unavailable', `${url.host} did not answer within ${timeoutMs / 1000} s`, { isRetryable: true, hint: connectionHint });
  if ((silentUntilMs.get(url.origin) ?? 0) > Date.now()) throw silence();
  const timer = setTimeout(() => {
    silentUntilMs.set(url.origin, Date.now() + silenceMs);
    abort.abort(silence());
  }, timeoutMs);
  // The user's Ctrl-C must also end the body, so the signal stays bound after the answer began.
  const signal = context.signal === undefined ? abort.signal : AbortSignal.any([abort.signal, context.signal]);
  try {
    signal.throwIfAborted();
    const credentials =
      url.username === '' ? undefined : `Basic ${btoa(`${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`)}`;
    const authorization = token === undefined ? credentials : `Bearer ${token}`;
    const plain = new URL(url);
    plain.username = plain.password = '';
    return await request(plain, {
      method: options.method ?? 'GET',
      headers: { 'user-agent': 'slmbench', 'accept-encoding': 'identity', ...options.headers, ...(authorization ? { authorization } : {}) },
      dispatcher,
      signal,
      headersTimeout: 0,
      bodyTimeout: bodyStallMs,
    });
  } catch (thrown) {
    throw abort.signal.aborted && ToolError.isInstance(abort.signal.reason) ? abort.signal.reason : thrown;
  } finally {
    clearTimeout(timer);
  }
}

function answerTimeoutMs(context: SourceContext): number {
  const configured = Number(environmentOf(context)['SLMBENCH_ANSWER_TIMEOUT_MS']);
  return context.answerTimeoutMs ?? (configured > 0 ? configured : 3000);
}

const proxyOf = (context: SourceContext, name: string) => environmentOf(context)[name.toLowerCase()] || environmentOf(context)[name];
const usesProxy = (context: SourceContext) => Boolean(proxyOf(context, 'HTTP_PROXY') || proxyOf(context, 'HTTPS_PROXY'));

/** Behind a proxy the proxy resolves names; what this machine can resolve is checked all the same. */
async function checkResolved(hostname: string, check: (host: string, address: string) => void): Promise<void> {
  const addresses = await resolveName(hostname, { all: true }).catch(() => []);
  for (const { address } of addresses) check(hostname, address);
}

function makeDispatcher(check: (host: string, address: string) => void, context: SourceContext): Dispatcher {
  const lookup: LookupFunction = (hostname, options, callback) => {
    dnsLookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      try {
        for (const { address } of addresses) check(hostname, address);
      } catch (refusal) {
        return callback(refusal as Error, []);
      }
      return options.all ? callback(null, addresses) : callback(null, addresses[0]!.address, addresses[0]!.family);
    });
  };
  // The limit on the whole answer covers the connection.
  const connect = { lookup, timeout: 0 };
  if (!usesProxy(context)) return new Agent({ connect });
  return new EnvHttpProxyAgent({
    httpProxy: proxyOf(context, 'HTTP_PROXY') ?? '',
    httpsProxy: proxyOf(context, 'HTTPS_PROXY') ?? '',
    noProxy: proxyOf(context, 'NO_PROXY') ?? '',
  });
}

function asToolError(thrown: unknown, url: string, context: SourceContext): unknown {
  if (ToolError.isInstance(thrown)) return thrown;
  if (context.signal?.aborted) return new ToolError('interrupted', `stopped while fetching ${redactUrl(url)}`, { cause: thrown });
  const cause = thrown instanceof AggregateError && thrown.errors.length > 0 ? thrown.errors[0] : thrown;
  return new ToolError('unavailable', `${redactUrl(url)}: ${messageOf(cause)}`, {
    cause: thrown,
    isRetryable: true,
    hint: unreachable.has((cause as NodeJS.ErrnoException | undefined)?.code ?? '') ? connectionHint : undefined,
  });
}

const connectionHint =
  'is this machine connected? a proxy is named by HTTPS_PROXY, a mirror of the hub by HF_ENDPOINT; cached files need no connection';

/** The host is not reached at all. */
const unreachable: ReadonlySet<string> = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ENETUNREACH', 'EHOSTUNREACH', 'ETIMEDOUT']);
