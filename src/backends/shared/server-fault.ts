// What goes wrong between us and a server, said so that the user knows what to do.
import { messageOf, ToolError } from '../../core/errors.ts';
import { keyVariables, type Redact } from './server-secrets.ts';

export interface FaultContext {
  /** Address that may be shown. */
  readonly shown: string;
  readonly redact: Redact;
  /** Command that starts such a server, if there is one. */
  readonly startHint?: string | undefined;
  /** Proxy that stands between us and the server, as it may be shown. */
  readonly proxy?: string | undefined;
}

/** A fault before any content: asking again may help, once the server is ready for it. */
export class PassingFault extends Error {
  readonly fault: ToolError;
  readonly retryAfterMs: number | null;
  /** True where the server said that it has too much to do. */
  readonly isOverload: boolean;
  /** True where an idle connection had been closed by the server as the request was written: it never took the request. */
  isStale = false;
  constructor(fault: ToolError, retryAfterMs: number | null = null, isOverload = false) {
    super(fault.message);
    this.fault = fault;
    this.retryAfterMs = retryAfterMs;
    this.isOverload = isOverload;
  }
}

const tlsCodes =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_|CERT_|ERR_TLS_|ERR_SSL_|EPROTO)|wrong version number|packet length too long/u;

/** A failed connection or one that broke, as PassingFault where a retry makes sense. */
export function connectionFault(thrown: unknown, context: FaultContext, hadContent: boolean): unknown {
  if (ToolError.isInstance(thrown) || thrown instanceof PassingFault) return thrown;
  const cause = innermost(thrown);
  const code = String((cause as { code?: unknown }).code ?? '');
  const detail = context.redact(messageOf(cause));
  const where = context.shown;
  const viaProxy =
    context.proxy === undefined ? undefined : `requests go through the proxy ${context.proxy}; NO_PROXY names hosts to ask directly`;
  if (code === 'ECONNREFUSED') {
    const hint = viaProxy ?? `is the server running, and is that its port? ${context.startHint ?? 'start it, or correct the address'}`;
    return new PassingFault(new ToolError('transport', `${where} refused the connection (${address(cause)})`, { hint, cause }));
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new ToolError('transport', `${where}: the host name is unknown`, { hint: viaProxy ?? 'check the address', cause });
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new PassingFault(
      new ToolError('timeout', `${where} did not accept a connection in time`, { hint: viaProxy ?? 'check address and firewall', cause }),
    );
  }
  if (tlsCodes.test(code) || tlsCodes.test(detail)) {
    const hint = /self|UNABLE|CERT/u.test(code)
      ? 'name the authority of the certificate in NODE_EXTRA_CA_CERTS'
      : 'does this port speak https? try http://';
    return new ToolError('transport', `${where}: no encrypted connection could be made (${code || detail})`, { hint, cause });
  }
  if (code.startsWith('HPE_') || cause?.constructor?.name === 'HTTPParserError') {
    return new ToolError('transport', `${where} does not answer in HTTP: ${detail}`, {
      hint: 'wrong port, or https where http was named?',
      cause,
    });
  }
  const message = `the connection to ${where} broke${hadContent ? ' in the middle of an answer' : ' before an answer came'}: ${detail}`;
  return hadContent
    ? new ToolError('transport', message, { isRetryable: true, cause })
    : new PassingFault(new ToolError('transport', message, { hint: viaProxy, cause }));
}

function address(cause: unknown): string {
  const { address: ip, port } = cause as { address?: string; port?: number };
  return ip === undefined ? 'no address' : `${ip}:${port}`;
}

function innermost(thrown: unknown): unknown {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return innermost(thrown.errors[0]);
  if (thrown instanceof Error && thrown.cause !== undefined && (thrown as { code?: string }).code === undefined)
    return innermost(thrown.cause);
  return thrown;
}

export interface StatusFault {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
  readonly path: string;
}

/** The error of an HTTP status that is no success. The server's text is shown, cut and stripped of control characters. */
export function statusFault({ status, headers, body, path }: StatusFault, context: FaultContext): ToolError | PassingFault {
  const said = serverText(body, context.redact);
  const message = `${context.shown}${path} answered HTTP ${status}${said === '' ? '' : `: ${said}`}`;
  if (status >= 300 && status < 400) return redirectFault(headers, message, context);
  if (status === 401 || status === 403) {
    return new ToolError('access', message, {
      hint: `set the server's key in ${keyVariables[0]} (an ${keyVariables[1]} is sent over https or to this machine only)`,
    });
  }
  if (status === 407)
    return new ToolError('access', message, { hint: 'the proxy wants a user and password: http://user:password@proxy in HTTPS_PROXY' });
  if (isOverflow(said))
    return new ToolError('context-overflow', message, { hint: 'use fewer shots or a shorter text, or start the server with more context' });
  if (status === 429 || status === 503 || status === 502 || status === 504) {
    return new PassingFault(new ToolError('transport', message), retryAfterMs(headers['retry-after']), status === 429 || status === 503);
  }
  if (status === 404 && said === '')
    return new ToolError('backend', message, { hint: 'is the path right? OpenAI-compatible servers usually end in /v1' });
  return new ToolError(status === 408 ? 'timeout' : 'backend', message);
}

function redirectFault(headers: StatusFault['headers'], message: string, { redact }: FaultContext): ToolError {
  const location = String(headers['location'] ?? '');
  const target = URL.canParse(location) ? new URL(location) : null;
  const to = target === null ? location : `${target.origin}${target.pathname}`;
  return new ToolError('transport', `${message.split(': ')[0]} and redirects to ${redact(to) || 'nowhere'}`, {
    hint: 'redirects are not followed, so that no key reaches another host: name the final address yourself',
  });
}

/** Whether a server's text says that the prompt does not fit its context. */
export function isOverflow(text: string): boolean {
  return /context (?:length|size|window)|exceed_context|maximum context|context.{0,20}exceed|exceeds?.{0,40}context|prompt is too long|too many tokens/iu.test(
    text,
  );
}

/** Retry-After in seconds or as a date (RFC 9110, 10.2.3), at most two minutes. */
export function retryAfterMs(header: string | string[] | undefined): number | null {
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined) return null;
  const seconds = /^\s*\d+(?:\.\d+)?\s*$/u.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(120_000, Math.max(0, seconds * 1000)) : null;
}

/** The message inside an error reply, or the start of the reply itself. */
export function serverText(body: string, redact: Redact): string {
  const trimmed = body.trim();
  if (/^<(?:!doctype|html)/iu.test(trimmed)) {
    const title = /<title>([^<]{1,100})/iu.exec(trimmed)?.[1]?.trim();
    return clean(`a web page${title === undefined ? '' : ` titled "${title}"`}, not JSON`, redact);
  }
  try {
    return clean(errorMessage(JSON.parse(trimmed)) ?? trimmed, redact);
  } catch {
    return clean(trimmed, redact);
  }
}

/** Text of an error object of any of the usual shapes; null where there is none. */
export function errorMessage(value: unknown): string | null {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return null;
  const { error, message, detail, msg } = value as Record<string, unknown>;
  for (const candidate of [error, message, detail, msg]) {
    if (candidate === undefined || candidate === null) continue;
    return errorMessage(Array.isArray(candidate) ? candidate[0] : candidate) ?? JSON.stringify(candidate);
  }
  return null;
}

function clean(text: string, redact: Redact): string {
  const plain = redact(text)
    .replace(/[\u0000-\u001f\u007f-\u009f]+/gu, ' ')
    .trim();
  return plain.length > 300 ? `${plain.slice(0, 297)}...` : plain;
}
