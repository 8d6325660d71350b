// One process at a time installs; a lock whose process is gone is taken over.
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ToolError } from '../core/errors.ts';

interface Holder {
  readonly pid: number;
  readonly host: string;
}

/**
 * Runs `work` while the lock file exists. Only saves double work: correctness rests on the rename of a finished environment.
 * @throws ToolError `interrupted` while waiting
 */
export async function withInstallLock<T>(
  path: string,
  work: () => Promise<T>,
  options: { readonly signal?: AbortSignal | undefined; readonly onWait?: ((holder: string) => void) | undefined } = {},
): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  for (let told = false; !(await take(path)); ) {
    if (options.signal?.aborted) throw new ToolError('interrupted', 'stopped while another process installs the training environment');
    const holder = await holderOf(path);
    if (holder !== null && holder.host === hostname() && !isAlive(holder.pid)) {
      const grave = `${path}.${process.pid}.stale`;
      await rename(path, grave).catch(() => undefined);
      await rm(grave, { force: true });
      continue;
    }
    if (!told) options.onWait?.(holder === null ? 'another process' : `process ${holder.pid} on ${holder.host}`);
    told = true;
    await sleep(200);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function take(path: string): Promise<boolean> {
  try {
    const handle = await open(path, 'wx');
    await handle.writeFile(JSON.stringify({ pid: process.pid, host: hostname() } satisfies Holder));
    await handle.close();
    return true;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw thrown;
  }
}

async function holderOf(path: string): Promise<Holder | null> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch {
    return null;
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
