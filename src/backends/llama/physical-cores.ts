// How many threads to use: physical cores this process may run on, less those that others keep busy.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';

/** Physical cores, or the logical count where the system does not tell. */
export function countPhysicalCores(): number {
  const usable = availableParallelism();
  const cores = new Set<string>();
  try {
    const root = '/sys/devices/system/cpu';
    for (const name of readdirSync(root)) {
      if (/^cpu\d+$/u.test(name)) cores.add(readFileSync(`${root}/${name}/topology/thread_siblings_list`, 'utf8').trim());
    }
  } catch {
    // Not Linux, or no topology: the logical count is the best there is.
  }
  return cores.size === 0 ? usable : Math.min(cores.size, usable);
}

/**
 * Threads by default. llama.cpp spins at its barriers, so one thread too many on a busy machine costs far more than one too few.
 * @param load runnable processes, averaged over a minute
 */
export function chooseThreads(physicalCores: number, load: number): number {
  return Math.max(1, Math.min(physicalCores, Math.round(physicalCores - load)));
}

export function defaultThreads(): number {
  return chooseThreads(countPhysicalCores(), loadavg()[0]!);
}
