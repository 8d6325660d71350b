// sha256 of files, remembered by size, time and inode so that a later start does not read 100 MB again.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readFile, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../core/digest.ts';
import { writeFileAtomic } from './write-file-atomic.ts';

export interface FileDigest {
  readonly sha256: string;
  readonly sizeBytes: number;
}

interface Remembered extends FileDigest {
  readonly path: string;
  /** Nanoseconds, as text because it passes 2^53. */
  readonly modifiedNs: string;
  readonly inode: string;
}

/**
 * Digest of a file; read from the cache's `digests/` folder when the file has not changed since it was last read.
 * `cacheDirectory: null` reads the file and remembers nothing.
 */
export async function digestFile(
  path: string,
  options: { cacheDirectory: string | null; signal?: AbortSignal | undefined },
): Promise<FileDigest> {
  const real = await realpath(path);
  const before = await stat(real, { bigint: true });
  const { cacheDirectory } = options;
  const remembered = cacheDirectory === null ? undefined : await readNote(noteFile(real, cacheDirectory));
  if (remembered !== undefined && isSame(remembered, before, real)) return { sha256: remembered.sha256, sizeBytes: remembered.sizeBytes };
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(real, { highWaterMark: 1 << 20, signal: options.signal })) hash.update(chunk as Buffer);
  const digest = { sha256: hash.digest('hex'), sizeBytes: Number(before.size) };
  if (cacheDirectory !== null) await rememberDigest(real, digest, cacheDirectory);
  return digest;
}

/** Notes a digest that was computed while the file was written. A cache that cannot be written is no error. */
export async function rememberDigest(path: string, digest: FileDigest, cacheDirectory: string): Promise<void> {
  try {
    const real = await realpath(path);
    const facts = await stat(real, { bigint: true });
    const note: Remembered = { path: real, ...digest, modifiedNs: String(facts.mtimeNs), inode: String(facts.ino) };
    await mkdir(join(cacheDirectory, 'digests'), { recursive: true });
    await writeFileAtomic(noteFile(real, cacheDirectory), `${JSON.stringify(note)}\n`);
  } catch {
    // Only speed is lost: the file is read again next time.
  }
}

function noteFile(real: string, cacheDirectory: string): string {
  return join(cacheDirectory, 'digests', `${sha256Hex(real).slice(0, 32)}.json`);
}

async function readNote(path: string): Promise<Remembered | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Remembered;
  } catch {
    return undefined;
  }
}

function isSame(note: Remembered, facts: { size: bigint; mtimeNs: bigint; ino: bigint }, path: string): boolean {
  return (
    note.path === path &&
    note.sizeBytes === Number(facts.size) &&
    note.modifiedNs === String(facts.mtimeNs) &&
    note.inode === String(facts.ino) &&
    /^[0-9a-f]{64}$/.test(note.sha256)
  );
}
