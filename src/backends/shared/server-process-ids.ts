// Process ids of a server on this machine, kept fresh without asking the system at every sample.
import { processesListeningOn } from './local-server-processes.ts';
import type { ServerAddress } from './server-address.ts';

const freshForMs = 2000;

/** Ids of the processes that listen at the address; empty for another machine. Cheap enough to call ten times a second. */
export function serverProcessIds(address: ServerAddress): () => readonly number[] {
  let ids: readonly number[] = [];
  let askedAtMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (!address.isLoopback) return [];
    const nowMs = performance.now();
    if (nowMs - askedAtMs > freshForMs && !ids.some(isAlive)) {
      ids = processesListeningOn(address.port).filter((id) => id !== process.pid);
      askedAtMs = nowMs;
    }
    return ids;
  };
}

function isAlive(id: number): boolean {
  try {
    process.kill(id, 0);
    return true;
  } catch {
    return false;
  }
}
