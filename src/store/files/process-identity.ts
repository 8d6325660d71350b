// Tells whether the process that took a lock still lives, also when its process id has been given to another one since.
import { readFileSync } from 'node:fs';

/** Start time of a process in kernel ticks (Linux), or null where the platform does not tell. */
export function processStart(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The command name in parentheses may hold spaces: count fields after the last one (proc(5), field 22).
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

export function isProcessAlive(pid: number, start: string | null): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  const current = processStart(pid);
  return start === null || current === null || current === start;
}
