// Looks at the runs while somebody watches and tells what changed, as ids and counters. Looking works on every file system and
// across restarts of either side, where file notifications do not.
import type { RunState, ViewerEvent } from '../../report/viewer/viewer-contract.ts';
import type { RunCatalogue } from './run-catalogue.ts';
import type { RunHandle } from './run-handles.ts';

export interface WatchInput {
  readonly catalogue: RunCatalogue;
  readonly handleOf: (id: string) => Promise<RunHandle>;
  /** @default 700 */
  readonly everyMs?: number | undefined;
}
type Listener = (event: ViewerEvent) => void;

interface Seen {
  readonly state: RunState;
  readonly version: number;
}

export function watchRuns({ catalogue, handleOf, everyMs = 700 }: WatchInput): (listener: Listener) => () => void {
  const listeners = new Set<Listener>();
  let seen: Map<string, Seen> | null = null;
  let timer: NodeJS.Timeout | null = null;

  function tell(event: ViewerEvent): void {
    for (const listener of listeners) listener(event);
  }
  async function look(): Promise<void> {
    await catalogue.refresh();
    const now = new Map<string, Seen>();
    for (const row of catalogue.rows()) {
      const before = seen?.get(row.id);
      let done = row.done;
      let total = row.total;
      let version = before?.version ?? 0;
      // Only a run that goes on, or has just ended, is read.
      if (row.state === 'running' || before?.state === 'running') {
        const handle = await handleOf(row.id);
        version = handle.index.version;
        done = handle.index.done;
        total = handle.index.slots.total;
      }
      now.set(row.id, { state: row.state, version });
      if (seen !== null && (before === undefined || before.state !== row.state || before.version !== version))
        tell({ kind: 'run', id: row.id, state: row.state, done, total });
    }
    if (seen !== null && seen.size !== now.size) tell({ kind: 'runs', count: now.size });
    seen = now;
  }
  function schedule(): void {
    timer = setTimeout(() => {
      // A folder that cannot be read now may be readable at the next look.
      look()
        .catch(() => undefined)
        .finally(() => {
          if (listeners.size > 0) schedule();
        });
    }, everyMs);
    timer.unref();
  }
  return (listener) => {
    listeners.add(listener);
    if (listeners.size === 1) {
      if (timer !== null) clearTimeout(timer);
      schedule();
    }
    return () => {
      listeners.delete(listener);
      if (listeners.size > 0 || timer === null) return;
      clearTimeout(timer);
      timer = null;
      seen = null;
    };
  };
}
