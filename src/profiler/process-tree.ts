// Reads a process and all its descendants: memory, CPU time, threads, page faults. Linux from /proc, elsewhere through one `ps` call.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

export interface ProcessReading {
  readonly pid: number;
  readonly rssBytes: number;
  /** User plus system time since the process began, seconds. */
  readonly cpuSeconds: number;
  readonly threads: number;
  readonly majorFaults: number;
}

/** Page size from the process's own auxiliary vector (AT_PAGESZ): 4 KiB on most machines, 16 or 64 KiB on some ARM ones. */
function readPageBytes(): number {
  const pageSizeEntry = 6n;
  try {
    const vector = readFileSync('/proc/self/auxv');
    for (let offset = 0; offset + 16 <= vector.length; offset += 16) {
      if (vector.readBigUInt64LE(offset) === pageSizeEntry) return Number(vector.readBigUInt64LE(offset + 8));
    }
  } catch {
    // Not Linux, where pages are not asked for.
  }
  return 4096;
}

const pageBytes = readPageBytes();
/** USER_HZ, which is 100 on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Fields of /proc/<pid>/stat after the command name, which may itself hold spaces and brackets. */
export function parseProcStat(text: string): { readonly parent: number; readonly reading: Omit<ProcessReading, 'pid'> } | null {
  const end = text.lastIndexOf(')');
  if (end < 0) return null;
  const fields = text.slice(end + 2).split(' ');
  const at = (index: number) => Number(fields[index]);
  const rssPages = at(21);
  if (!Number.isFinite(rssPages)) return null;
  return {
    parent: at(1),
    reading: { rssBytes: rssPages * pageBytes, cpuSeconds: (at(11) + at(12)) / ticksPerSecond, threads: at(17), majorFaults: at(9) },
  };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function childrenOf(pid: number): number[] {
  let children: number[] = [];
  try {
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      const list = readText(`/proc/${pid}/task/${thread}/children`);
      if (list) children = children.concat(list.trim().split(' ').filter(Boolean).map(Number));
    }
  } catch {
    // The process ended between two reads.
  }
  return children;
}

/** Descendants of the roots, roots included, each once. Slow-changing: callers refresh it at a lower rate than readings. */
export function listProcessTree(roots: readonly number[]): number[] {
  if (process.platform !== 'linux') return readTreeByPs(roots).map((reading) => reading.pid);
  const seen = new Set<number>();
  const queue = [...roots];
  while (queue.length > 0) {
    const pid = queue.pop()!;
    if (seen.has(pid)) continue;
    seen.add(pid);
    queue.push(...childrenOf(pid));
  }
  return [...seen];
}

/** Readings of the given processes; one that has ended is left out. */
export function readProcesses(pids: readonly number[]): ProcessReading[] {
  if (process.platform !== 'linux') return readTreeByPs(pids);
  const readings: ProcessReading[] = [];
  for (const pid of pids) {
    const parsed = parseProcStat(readText(`/proc/${pid}/stat`) ?? '');
    if (parsed !== null) readings.push({ pid, ...parsed.reading });
  }
  return readings;
}

/** The kernel's own high-water mark of resident memory (VmHWM), bytes; null where it is not told. */
export function readKernelPeakBytes(pid: number): number | null {
  const match = /^VmHWM:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/status`) ?? '');
  return match === null ? null : Number(match[1]) * 1024;
}

/** Proportional set size: shared pages divided among their users, bytes; null where it is not told or not allowed. */
export function readPssBytes(pid: number): number | null {
  const match = /^Pss:\s+(\d+) kB/m.exec(readText(`/proc/${pid}/smaps_rollup`) ?? '');
  return match === null ? null : Number(match[1]) * 1024;
}

/** `[[dd-]hh:]mm:ss[.cc]` of `ps -o time`. */
export function parsePsTime(text: string): number {
  const [days, clock] = text.includes('-') ? (text.split('-') as [string, string]) : ['0', text];
  return clock.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) + Number(days) * 86_400;
}

function readTreeByPs(roots: readonly number[]): ProcessReading[] {
  let table: string;
  try {
    table = execFileSync('ps', ['-axo', 'pid=,ppid=,rss=,time='], { encoding: 'utf8', timeout: 2000 });
  } catch {
    return [];
  }
  const rows = table
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/));
  const wanted = new Set(roots);
  for (let grew = true; grew; ) {
    grew = false;
    for (const [pid, parent] of rows) {
      if (wanted.has(Number(parent)) && !wanted.has(Number(pid))) {
        wanted.add(Number(pid));
        grew = true;
      }
    }
  }
  return rows
    .filter(([pid]) => wanted.has(Number(pid)))
    .map(([pid, , rss, time]) => ({
      pid: Number(pid),
      rssBytes: Number(rss) * 1024,
      cpuSeconds: parsePsTime(time ?? '0'),
      threads: 0,
      majorFaults: 0,
    }));
}
