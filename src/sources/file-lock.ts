// One process at a time fetches a file; the others wait and then find it in the cache.
import { mkdir, open, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../core/errors.ts';

const heartbeatMs = 2000;
/** A holder on another machine that has not moved its heartbeat for this long is taken for dead. */
const staleMs = 30_000;

/**
 * Runs `work` while `path` exists as a lock file. Waits for another holder; a lock whose process is gone is taken over.
 * Only saves double work: correctness rests on atomic renames.
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  while (!(await tryLock(path))) {
    if (signal?.aborted) throw new ToolError('interrupted', `stopped while waiting for ${path}`);
    await ((await isStale(path)) ? steal(path) : sleep(150));
  }
  const heartbeat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), heartbeatMs);
  heartbeat.unref();
  try {
    return await work();
  } finally {
    clearInterval(heartbeat);
    await rm(path, { force: true });
  }
}

async function tryLock(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx');
    await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname() }));
    await handle.close();
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
}

async function isStale(path: string): Promise<boolean> {
  try {
    const ageMs = Date.now() - (await stat(path)).mtimeMs;
    const text = await readFile(path, 'utf8');
    if (text === '') return ageMs > heartbeatMs;
    const holder = JSON.parse(text) as { pid: number; host: string };
    return holder.host === hostname() ? !isAlive(holder.pid) : ageMs > staleMs;
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** The rename succeeds for one taker only. */
async function steal(path: string): Promise<void> {
  const grave = `${path}.${process.pid}.stale`;
  await rename(path, grave).catch(() => undefined);
  await rm(grave, { force: true });
}
