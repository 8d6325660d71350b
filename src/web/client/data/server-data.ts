// Asks the live server; the cookie of the first visit goes along by itself.
import type { QueryChange } from '../route.ts';
import type { ViewerData } from './viewer-data.ts';

export class RequestError extends Error {
  override readonly name: string = 'RequestError';
  readonly status: number;
  readonly hint: string | undefined;

  constructor(status: number, message: string, hint: string | undefined) {
    super(message);
    this.status = status;
    this.hint = hint;
  }
}

async function request<T>(path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`./api${path}`, init);
  } catch {
    throw new RequestError(0, 'The viewer does not answer.', 'Is `slmbench view` still running?');
  }
  const body = (await response.json().catch(() => null)) as { error?: string; hint?: string } | null;
  if (response.ok) return body as T;
  if (response.status === 401)
    throw new RequestError(401, 'This page belongs to a viewer that was restarted.', 'Open the address that the terminal shows now.');
  throw new RequestError(response.status, body?.error ?? `The viewer answered ${response.status}.`, body?.hint);
}

function withQuery(path: string, query: QueryChange): string {
  const entries = Object.entries(query).filter(([, value]) => value !== undefined && value !== null && value !== '');
  return entries.length === 0 ? path : `${path}?${new URLSearchParams(entries.map(([key, value]) => [key, String(value)]))}`;
}

const run = (id: string): string => `/runs/${encodeURIComponent(id)}`;

function send(method: string, body?: unknown): RequestInit {
  return body === undefined ? { method } : { method, headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) };
}

export const serverData: ViewerData = {
  isLive: true,
  listRuns: (filter, offset, limit) => request(withQuery('/runs', { ...filter, offset, limit })),
  runDetail: (id) => request(run(id)),
  samples: (id, query) => request(withQuery(`${run(id)}/samples`, { ...query })),
  sample: (id, slot, query) => request(withQuery(`${run(id)}/samples/${slot}`, { ...query })),
  prompt: (id, slot) => request(`${run(id)}/samples/${slot}/prompt`),
  compare: (ids, baseline) => request(withQuery('/compare', { runs: ids.join(','), baseline })),
  flips: (query) => request(withQuery('/flips', { ...query })),
  leaderboard: () => request('/leaderboard'),
  training: () => request('/training'),
  setNotes: (id, change) => request(run(id), send('PATCH', change)),
  remove: async (id) => {
    await request(run(id), send('DELETE'));
  },
  restore: async (id) => {
    await request(`${run(id)}/restore`, send('POST'));
  },
};
