// Text and digest of files in a run folder.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { safeFileName } from '../../core/names.ts';
import { isMissing, storageError } from './storage-error.ts';

function plainPath(folder: string, name: string): string | null {
  return name === safeFileName(name) ? join(folder, name) : null;
}

export async function readArtifactText(folder: string, name: string): Promise<string | null> {
  const path = plainPath(folder, name);
  if (path === null) return null;
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw storageError('cannot read', path, error);
  }
}

/** sha256 of a file, read as a stream; null where there is none. */
export async function artifactDigest(folder: string, name: string): Promise<string | null> {
  const path = plainPath(folder, name);
  if (path === null) return null;
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  } catch (error) {
    if (isMissing(error)) return null;
    throw storageError('cannot read', path, error);
  }
  return hash.digest('hex');
}
