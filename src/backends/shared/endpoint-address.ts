// Addresses of one model on several servers, as they stand in a reference: `http://a:8000/v1#limit=8+http://b:8000/v1`.
import { ToolError } from '../../core/errors.ts';

export interface EndpointAddress {
  readonly url: string;
  /** Host and port: a name without secrets. */
  readonly name: string;
  /** Requests in flight at most; null: as many as the server says that it works on at once. */
  readonly limit: number | null;
}

/** The parts, as text. */
export function splitEndpoints(text: string): readonly string[] {
  return text.split(/\+(?=https?:\/\/)/);
}

/** @throws ToolError `usage` for what is no address, for an unknown setting behind `#`, and for an address that stands twice */
export function parseEndpoints(text: string): readonly EndpointAddress[] {
  const addresses = splitEndpoints(text).map(parseEndpoint);
  const seen = new Set<string>();
  for (const { url, name } of addresses) {
    if (seen.has(url))
      throw new ToolError('usage', `the address ${name} stands twice in the model reference`, { hint: 'name each server once' });
    seen.add(url);
  }
  return addresses;
}

function parseEndpoint(text: string): EndpointAddress {
  if (!URL.canParse(text)) throw new ToolError('usage', 'a server address is not a URL', { hint: 'expected http://localhost:8080/v1' });
  const parsed = new URL(text);
  const setting = parsed.hash;
  parsed.hash = '';
  return { url: setting === '' ? text : parsed.href, name: parsed.host, limit: setting === '' ? null : limitOf(setting, parsed.host) };
}

function limitOf(setting: string, name: string): number {
  const count = Number(/^#limit=(\d{1,5})$/.exec(setting)?.[1] ?? 0);
  if (count > 0) return count;
  throw new ToolError('usage', `"${setting}" behind the address ${name} is not a setting`, {
    hint: 'a limit of requests in flight is written http://host:8000/v1#limit=8',
  });
}
