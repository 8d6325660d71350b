// One digest for a model folder: over the names and digests of its weight, configuration and tokenizer files.
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf } from '../../core/digest.ts';
import { digestFile } from '../../sources/file-digest.ts';

/** sha256, as hex digits. Other files (README, optimiser state) do not count. */
export async function directoryDigest(folder: string, cacheDirectory: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => /\.(safetensors|json|jinja|model)$/.test(name)).sort();
  const digests: string[][] = [];
  for (const name of names) digests.push([name, (await digestFile(join(folder, name), { cacheDirectory })).sha256]);
  return digestOf(digests);
}
