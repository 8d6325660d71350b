// A quantised copy made here from the best file at hand, kept in the cache under the digest of its source.
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { quantisationTypes, quantizeModel } from '../../../backends/llama/quantize-model.ts';
import type { ResolvedModel } from '../../../backends/resolve-model.ts';
import { safeFileName } from '../../../core/names.ts';

export interface MadeQuantisation {
  readonly path: string;
  readonly origin: string;
  readonly notes: readonly string[];
}

/** At this many bits a source counts as unquantised. */
const masterBits = 15.5;

/** @throws ToolError `usage` for an unknown type, `storage` or `backend` as the engine says */
export async function makeQuantisation(
  source: ResolvedModel,
  type: string,
  options: { readonly cacheDirectory: string; readonly threads: number | null },
): Promise<MadeQuantisation> {
  const name = Object.keys(quantisationTypes).find((known) => known === type.toUpperCase()) ?? type;
  const folder = join(options.cacheDirectory, 'quantised', source.facts.digest?.slice(0, 16) ?? 'unknown');
  const path = join(folder, `${safeFileName(source.key)}.${safeFileName(name)}.gguf`);
  const bits = source.gguf?.bitsPerWeight ?? 0;
  const isQuantised = bits < masterBits;
  if (!existsSync(path)) {
    await mkdir(folder, { recursive: true });
    await quantizeModel(source.path!, path, name, { allowRequantize: isQuantised, threads: options.threads ?? undefined });
  }
  return {
    path,
    origin: `made here from ${source.facts.file ?? source.key}`,
    notes: isQuantised
      ? [
          `made from a file that is itself quantised (${source.gguf?.quantisation}, ${bits.toFixed(2)} bits per weight): its loss is on top, and the reference is not the original model`,
        ]
      : [],
  };
}
