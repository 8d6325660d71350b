// Joins a file that is published in several parts; the parts leave the cache once the whole is there.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { FileSource } from '../core/model.ts';
import { rememberDigest } from './file-digest.ts';
import { withFileLock } from './file-lock.ts';
import type { FetchedFile, SourceContext } from './source-context.ts';

type FetchFile = (sources: readonly FileSource[], context: SourceContext) => Promise<FetchedFile>;

/** Fetches the parts named in `text` (joined by ` + `) in order and writes them one after the other to `target`. */
export async function joinParts(text: string, target: string, context: SourceContext, fetchFile: FetchFile): Promise<void> {
  const references = text.split(' + ').map((reference) => reference.trim());
  const join = async () => {
    if (await stat(target).catch(() => undefined)) return;
    const part = `${target}.part`;
    await mkdir(dirname(target), { recursive: true });
    const parts: string[] = [];
    try {
      for (const reference of references) parts.push((await fetchFile([{ reference }], context)).path);
      const digest = await concatenate(parts, part);
      await rename(part, target);
      await rememberDigest(target, digest, context.cacheDirectory);
    } catch (thrown) {
      await rm(part, { force: true });
      throw thrown;
    }
    for (const [index, path] of parts.entries())
      if (/^(pypi|https?):/.test(references[index]!)) await rm(dirname(path), { recursive: true, force: true });
  };
  await withFileLock(`${target}.lock`, join, context.signal);
}

async function concatenate(parts: readonly string[], target: string): Promise<{ sha256: string; sizeBytes: number }> {
  const output = await open(target, 'w');
  const hash = createHash('sha256');
  let sizeBytes = 0;
  try {
    for (const path of parts) sizeBytes += await append(path, output, (chunk) => hash.update(chunk));
  } finally {
    await output.close();
  }
  return { sha256: hash.digest('hex'), sizeBytes };
}

async function append(path: string, output: FileHandle, onChunk: (chunk: Buffer) => void): Promise<number> {
  let sizeBytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) {
    await output.writeFile(chunk as Buffer);
    onChunk(chunk as Buffer);
    sizeBytes += (chunk as Buffer).length;
  }
  return sizeBytes;
}
