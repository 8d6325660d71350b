// Where the reader is: path and parameters in the fragment of the address, so that every state of every page can be shared,
// also in a site that is opened from a folder.
import { useSyncExternalStore } from 'react';

export interface Route {
  /** Without the leading slash, decoded: `['runs', '2026…']`. */
  readonly path: readonly string[];
  readonly query: URLSearchParams;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function parseHash(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split('?', 2);
  return {
    path: path
      .split('/')
      .filter((part) => part !== '')
      .map(decode),
    query: new URLSearchParams(query),
  };
}

export type QueryChange = Readonly<Record<string, string | number | null | undefined>>;

/** `#/runs/a?x=1`; empty values are left out. */
export function hashOf(path: readonly string[], query: URLSearchParams | QueryChange = {}): string {
  const entries = query instanceof URLSearchParams ? [...query] : Object.entries(query);
  const kept = entries
    .filter(([, value]) => value !== null && value !== undefined && value !== '')
    .map(([key, value]) => [key, String(value)]);
  const text = new URLSearchParams(kept).toString();
  return `#/${path.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('hashchange', listener);
  return () => window.removeEventListener('hashchange', listener);
}

let parsed = { hash: '\u0000', route: parseHash('') };
function currentRoute(): Route {
  if (parsed.hash !== window.location.hash) parsed = { hash: window.location.hash, route: parseHash(window.location.hash) };
  return parsed.route;
}

export function useRoute(): Route {
  return useSyncExternalStore(subscribe, currentRoute);
}

export function navigate(hash: string, how: 'push' | 'replace' = 'push'): void {
  if (how === 'push') {
    window.location.hash = hash;
    return;
  }
  window.history.replaceState(null, '', hash);
  window.dispatchEvent(new HashChangeEvent('hashchange'));
}

/** Changes parameters of the page that is shown; a filter replaces the address, so that Back leaves the page. */
export function changeQuery(route: Route, change: QueryChange): void {
  const query = new URLSearchParams(route.query);
  for (const [key, value] of Object.entries(change)) {
    if (value === null || value === undefined || value === '') query.delete(key);
    else query.set(key, String(value));
  }
  navigate(hashOf(route.path, query), 'replace');
}
