// A PEFT adapter folder: its two files, the digest of its payload, and the base that it was trained on.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { sha256Hex } from '../core/digest.ts';
import { messageOf, ToolError } from '../core/errors.ts';

export interface AdapterFiles {
  readonly folder: string;
  readonly config: string;
  readonly weights: Uint8Array;
  /** sha256 of adapter_model.safetensors. */
  readonly digest: string;
  /** sha256 of the base that it was trained on; null for an adapter of other origin. */
  readonly baseDigest: string | null;
}

const factsSchema = z.object({ base: z.object({ digest: z.string(), name: z.string() }) });

/** @throws ToolError `not-found` (no adapter there) or `integrity` (its facts are unreadable) */
export async function readAdapter(folder: string): Promise<AdapterFiles> {
  const read = (name: string) =>
    readFile(join(folder, name)).catch((cause: unknown) => {
      throw new ToolError('not-found', `${folder} is not a PEFT adapter: ${name} cannot be read (${messageOf(cause)})`, { cause });
    });
  const [config, weights, facts] = [
    (await read('adapter_config.json')).toString('utf8'),
    await read('adapter_model.safetensors'),
    await readFile(join(folder, 'slmbench.json'), 'utf8').catch(() => null),
  ];
  return { folder, config, weights, digest: sha256Hex(weights), baseDigest: facts === null ? null : baseDigestOf(facts, folder) };
}

function baseDigestOf(text: string, folder: string): string {
  try {
    return factsSchema.parse(JSON.parse(text)).base.digest;
  } catch (cause) {
    throw new ToolError('integrity', `${join(folder, 'slmbench.json')} is damaged: ${messageOf(cause)}`, { cause });
  }
}

/**
 * An adapter only fits the weights that it was trained on.
 * @throws ToolError `integrity` where the digests differ
 */
export function assertAdapterFitsBase(adapter: AdapterFiles, baseDigest: string): void {
  if (adapter.baseDigest === null || adapter.baseDigest === baseDigest) return;
  throw new ToolError(
    'integrity',
    `the adapter ${adapter.folder} was trained on another base: ${adapter.baseDigest.slice(0, 12)}..., this one is ${baseDigest.slice(0, 12)}...`,
    { hint: 'use the base that its slmbench.json names' },
  );
}
