// Puts the generated toy model on disk, where the engine opens it like any other.
import { mkdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { sha256Hex } from '../core/digest.ts';
import { type ToyVariant, toyModelBytes } from '../formats/toy-model.ts';
import { writeFileAtomic } from '../sources/write-file-atomic.ts';

/** Path of the toy model, written to the cache if it is not there. */
export async function toyModelFile(variant: ToyVariant, cacheDirectory: string): Promise<string> {
  const bytes = toyModelBytes(undefined, variant);
  const directory = join(cacheDirectory, 'toy', sha256Hex(bytes).slice(0, 16));
  const path = join(directory, variant === 'bigram' ? 'toy.gguf' : `toy-${variant}.gguf`);
  const size = await stat(path).then(
    (facts) => facts.size,
    () => -1,
  );
  if (size === bytes.byteLength) return path;
  await mkdir(directory, { recursive: true });
  await writeFileAtomic(path, bytes);
  return path;
}
