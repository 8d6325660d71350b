// The address of a server as the user wrote it: base URL, credentials taken out of it, and a form that may be shown.
import { ToolError } from '../../core/errors.ts';

export interface ServerAddress {
  readonly origin: string;
  /** Path prefix without a slash at its end: `` or `/v1`. */
  readonly basePath: string;
  /** Query of the base URL with its `?`, sent with every request (some gateways carry the key there). */
  readonly query: string;
  /** `Basic ...` from user and password in the address. */
  readonly authorization: string | null;
  /** For people, records and logs: no user, no password, no query. */
  readonly shown: string;
  readonly host: string;
  readonly port: number;
  readonly isLoopback: boolean;
  readonly isEncrypted: boolean;
  /** Values that must never be shown. */
  readonly secrets: readonly string[];
}

/** @throws ToolError `usage` for anything but an http or https address */
export function parseServerAddress(text: string): ServerAddress {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new ToolError('usage', 'the server address is not an http or https URL', { hint: 'expected http://localhost:8080/v1' });
  }
  const user = decode(url.username);
  const password = decode(url.password);
  const basePath = url.pathname.replace(/\/+$/u, '');
  const isEncrypted = url.protocol === 'https:';
  const hasCredentials = user !== '' || password !== '';
  return {
    origin: url.origin,
    basePath,
    query: url.search,
    authorization: hasCredentials ? `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` : null,
    shown: `${url.protocol}//${hasCredentials ? '***@' : ''}${url.host}${basePath}`,
    host: url.hostname.replace(/^\[|\]$/gu, ''),
    port: url.port === '' ? (isEncrypted ? 443 : 80) : Number(url.port),
    isLoopback: /^(?:localhost|127(?:\.\d+){3}|\[?::1\]?|.*\.localhost)$/u.test(url.hostname),
    isEncrypted,
    secrets: [password, ...[...url.searchParams.values()]].filter((value) => value.length >= 4),
  };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
