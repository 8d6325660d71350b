// The processes of an Ollama server on this machine: by its port, else (when it runs as another user) by their name.
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerAddress } from '../shared/server-address.ts';
import { serverProcessIds } from '../shared/server-process-ids.ts';

/** Runners are children of the server, so the server's own id covers the model's memory. */
export function ollamaProcessIds(address: ServerAddress): () => readonly number[] {
  const byPort = serverProcessIds(address);
  return () => {
    const ids = byPort();
    return ids.length > 0 || !address.isLoopback ? ids : processesNamed('ollama');
  };
}

function processesNamed(name: string): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/u.test(entry) && commandOf(entry) === name)
    .map(Number);
}

function commandOf(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
  } catch {
    return null;
  }
}
