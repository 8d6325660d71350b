// CPU seconds of a process with all its children, living and dead (Linux): a fair measure on a machine that others use too.
import { readdirSync, readFileSync } from 'node:fs';

/** Kernel clock ticks per second, fixed at 100 for user space on Linux. */
const ticksPerSecond = 100;

/** Fields of `/proc/PID/stat` from the third on (state first); null where the process is gone. */
function statOf(processId: number): readonly string[] | null {
  try {
    return readFileSync(`/proc/${processId}/stat`, 'utf8')
      .replace(/^.*\) /su, '')
      .split(' ');
  } catch {
    return null;
  }
}

export function parentOf(processId: number): number {
  const fields = statOf(processId);
  if (fields === null) throw new Error(`process ${processId} is gone`);
  return Number(fields[1]);
}

/** User and system seconds of a process, its children that ended, and those that run now. */
export function cpuSecondsOfTree(processId: number): number {
  const ticks = (fields: readonly string[], from: number, to: number): number =>
    fields.slice(from, to).reduce((sum, field) => sum + Number(field), 0);
  let sum = ticks(statOf(processId) ?? [], 11, 15);
  for (const name of readdirSync('/proc')) {
    const fields = /^\d+$/.test(name) ? statOf(Number(name)) : null;
    if (fields !== null && Number(fields[1]) === processId) sum += ticks(fields, 11, 15);
  }
  return sum / ticksPerSecond;
}
