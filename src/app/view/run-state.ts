// Is a run going on? Its lock names the process that holds it; a lock left by a dead process means it was stopped.
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { RunSummary } from '../../core/ports/run-store.ts';
import type { RunState } from '../../report/viewer/viewer-contract.ts';
import { isProcessAlive } from '../../store/files/process-identity.ts';

export function isHeld(folder: string): boolean {
  let holder: { pid?: unknown; host?: unknown; processStart?: unknown };
  try {
    holder = JSON.parse(readFileSync(join(folder, 'lock'), 'utf8')) as typeof holder;
  } catch {
    return false;
  }
  const { pid, host, processStart } = holder;
  if (typeof pid !== 'number') return false;
  // A process of another machine cannot be asked: it counts as alive.
  return host !== hostname() || isProcessAlive(pid, typeof processStart === 'string' ? processStart : null);
}

export function runStateOf(folder: string, status: RunSummary['status']): RunState {
  return isHeld(folder) ? 'running' : status;
}
