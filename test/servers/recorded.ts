// Serves replies that were recorded from a real server (scripts/record-server.mjs), whole or cut into small blocks.
import { readFileSync } from 'node:fs';
import type { MockHandler, MockReply } from './mock-server.ts';

interface Recorded {
  readonly path: string;
  readonly status: number;
  readonly type: string | null;
  readonly server: string | null;
  readonly body: string;
}
export type Recording = Readonly<Record<string, Recorded>>;

export function readRecording(path: string): Recording {
  return JSON.parse(readFileSync(path, 'utf8')) as Recording;
}

/** The named reply with its bytes in blocks of `blockBytes`. */
export function replyOf(recording: Recording, name: string, blockBytes = 1 << 20): MockReply {
  const { status, type, server, body } = recording[name]!;
  const bytes = Buffer.from(body);
  const count = Math.max(1, Math.ceil(bytes.length / blockBytes));
  const pieces = Array.from({ length: count }, (_, index) => ({ bytes: bytes.subarray(index * blockBytes, (index + 1) * blockBytes) }));
  return { status, headers: { 'content-type': type ?? 'text/plain', ...(server === null ? {} : { server }) }, pieces };
}

/** Answers each path with the first recording of it, unless `choose` names another. */
export function serveRecording(recording: Recording, choose: (path: string) => string | undefined, blockBytes?: number): MockHandler {
  return ({ path }) => {
    const name = choose(path) ?? Object.keys(recording).find((key) => recording[key]!.path === path);
    return name === undefined ? { status: 404, pieces: [] } : replyOf(recording, name, blockBytes);
  };
}
