// One process per run folder: a lock file that names its holder. The lock of a dead process is taken over.
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { ToolError } from '../../core/errors.ts';
import { isProcessAlive, processStart } from './process-identity.ts';
import { storageError } from './storage-error.ts';

const holderSchema = z.strictObject({
  pid: z.number().int(),
  host: z.string(),
  /** Kernel start time of the process, against reused ids. */
  processStart: z.string().nullable(),
  lockedAt: z.string(),
  token: z.string(),
});
type Holder = z.infer<typeof holderSchema>;

export interface RunLock {
  readonly release: () => void;
}

const takeoverAttempts = 5;

/** @throws ToolError `locked` naming the holder, when another live process (or another host) holds the folder */
export function takeRunLock(folder: string): RunLock {
  const path = join(folder, 'lock');
  const own: Holder = {
    pid: process.pid,
    host: hostname(),
    processStart: processStart(process.pid),
    lockedAt: new Date().toISOString(),
    token: randomBytes(8).toString('hex'),
  };
  for (let attempt = 0; attempt < takeoverAttempts; attempt++) {
    if (createLock(path, own)) return { release: () => releaseLock(path, own) };
    const holder = readHolder(path);
    if (holder === 'gone') continue;
    if (holder !== 'damaged' && holds(holder)) throw lockedError(folder, path, holder);
    removeStale(path, holder);
  }
  throw new ToolError('locked', `another process is taking over the run folder ${folder}`, { hint: 'try again in a moment' });
}

/** A hard link appears whole or not at all, so a reader never sees a half-written lock. */
function createLock(path: string, own: Holder): boolean {
  const draft = `${path}.tmp-${own.pid}-${own.token.slice(0, 8)}`;
  try {
    writeFileSync(draft, JSON.stringify(own), { flag: 'wx' });
    try {
      linkSync(draft, path);
      return true;
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      // ENOENT: the holder's clean-up took the draft away.
      if (code === 'EEXIST' || code === 'ENOENT') return false;
      // File systems without hard links (FAT, some network shares): exclusive creation.
      if (code !== 'EPERM' && code !== 'ENOTSUP' && code !== 'EOPNOTSUPP' && code !== 'ENOSYS') throw error;
      return createExclusively(path, own);
    } finally {
      rmSync(draft, { force: true });
    }
  } catch (error) {
    throw storageError('cannot lock', path, error);
  }
}

function createExclusively(path: string, own: Holder): boolean {
  try {
    writeFileSync(path, JSON.stringify(own), { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readHolder(path: string): Holder | 'gone' | 'damaged' {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return 'gone';
  }
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    return 'damaged';
  }
}

function holds(holder: Holder): boolean {
  return holder.host !== hostname() || isProcessAlive(holder.pid, holder.processStart);
}

/** Moves the stale lock aside and puts it back if a third process has replaced it in between. */
function removeStale(path: string, stale: Holder | 'damaged'): void {
  const aside = `${path}.stale-${randomBytes(4).toString('hex')}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  const moved = readHolder(aside);
  const isOther = typeof moved === 'object' && (stale === 'damaged' || moved.token !== stale.token);
  try {
    if (isOther) linkSync(aside, path);
  } catch {
    // A newer lock stands there already.
  } finally {
    rmSync(aside, { force: true });
  }
}

function releaseLock(path: string, own: Holder): void {
  const holder = readHolder(path);
  if (typeof holder === 'object' && holder.token === own.token) rmSync(path, { force: true });
}

function lockedError(folder: string, path: string, holder: Holder): ToolError {
  const elsewhere = holder.host !== hostname();
  return new ToolError('locked', `run folder ${folder} is in use by process ${holder.pid} on ${holder.host} since ${holder.lockedAt}`, {
    hint: elsewhere
      ? `wait for it; if that process is gone, delete ${path}`
      : 'wait for it or end it, then run the same command again; --fresh starts another run',
  });
}
