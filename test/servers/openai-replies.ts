// Replies of OpenAI-compatible servers in every shape that was seen in the wild, for the mock server.
import type { MockPiece, MockReply } from './mock-server.ts';

/** `data: JSON` with a blank line. */
export function event(value: unknown): string {
  return `data: ${typeof value === 'string' ? value : JSON.stringify(value)}\n\n`;
}

export const role = event({ choices: [{ index: 0, delta: { role: 'assistant', content: null }, finish_reason: null }] });
export const done = event('[DONE]');

export function content(text: string, more: object = {}): string {
  return event({ choices: [{ index: 0, delta: { content: text }, finish_reason: null }], ...more });
}

export function finish(reason = 'stop', more: object = {}): string {
  return event({ choices: [{ index: 0, delta: {}, finish_reason: reason, ...more }] });
}

export function usage(completion: number, prompt = 10, more: object = {}): string {
  const counts = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: prompt + completion, ...more };
  return event({ choices: [], usage: counts });
}

/** Each text in a network block of its own, then finish, usage and [DONE]. */
export function answer(texts: readonly string[], reason = 'stop'): MockReply {
  const end = [finish(reason), usage(texts.length), done];
  return { pieces: [role, ...texts.map((text) => content(text)), ...end].map((bytes) => ({ bytes })) };
}

export function stream(...pieces: readonly (string | Buffer)[]): MockReply {
  return { pieces: pieces.map((bytes) => ({ bytes })) };
}

/** Pieces with their moments, ms after the request. */
export function timed(...pieces: readonly (readonly [atMs: number, bytes: string])[]): MockReply {
  return { pieces: pieces.map(([atMs, bytes]) => ({ atMs, bytes })) };
}

export function json(value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): MockReply {
  return { status, headers: { 'content-type': 'application/json', ...headers }, pieces: [{ bytes: JSON.stringify(value) }] };
}

/** The same bytes with network blocks cut at the given places. */
export function cutAt(text: string, places: readonly number[]): readonly MockPiece[] {
  const bytes = Buffer.from(text);
  const ends = [...places, bytes.length];
  return ends.map((end, index) => ({ bytes: bytes.subarray(index === 0 ? 0 : ends[index - 1]!, end) }));
}
