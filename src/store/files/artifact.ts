// Text and digest of files in a run folder.
import { createHash } from 'node:crypto';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { safeFileName } from '../../core/names.ts';
import { isMissing, storageError } from './storage-error.ts';

const bufferBytes = 1 << 18;

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

/** sha256 of a file, read through one buffer; null where there is none. */
export async function artifactDigest(folder: string, name: string): Promise<string | null> {
  const path = plainPath(folder, name);
  if (path === null) return null;
  const hash = createHash('sha256');
  try {
    const file = await open(path, 'r');
    try {
      const buffer = Buffer.allocUnsafe(bufferBytes);
      for (;;) {
        const { bytesRead } = await file.read(buffer, 0, bufferBytes, null);
        if (bytesRead === 0) break;
        hash.update(buffer.subarray(0, bytesRead));
      }
    } finally {
      await file.close();
    }
  } catch (error) {
    if (isMissing(error)) return null;
    throw storageError('cannot read', path, error);
  }
  return hash.digest('hex');
}
