// PEFT folder -> GGUF LoRA file for a GGUF base.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { ToolError } from '../core/errors.ts';
import { ggufFacts } from '../formats/gguf-facts.ts';
import { readGguf } from '../formats/gguf-reader.ts';
import { type LoraConversion, loraToGguf } from '../formats/lora-gguf.ts';
import { writeFileAtomic } from '../sources/write-file-atomic.ts';
import { assertAdapterFitsBase, readAdapter } from './adapter-files.ts';
import { withOpenFile } from './file-bytes.ts';

export interface ConvertAdapterOptions {
  readonly adapterFolder: string;
  /** The GGUF that the adapter will run on. */
  readonly basePath: string;
  /** sha256 of the base; where given, an adapter trained on another base is refused. */
  readonly baseDigest?: string | undefined;
  readonly outputPath: string;
  /** @default 'F16' */
  readonly type?: 'F32' | 'F16' | undefined;
}

/**
 * Writes the GGUF adapter.
 * @throws ToolError `integrity` (another base, damaged file) or `unsupported` (DoRA, biases, architecture)
 */
export async function convertAdapter(options: ConvertAdapterOptions): Promise<Omit<LoraConversion, 'bytes'>> {
  const adapter = await readAdapter(options.adapterFolder);
  if (options.baseDigest !== undefined) assertAdapterFitsBase(adapter, options.baseDigest);
  const { architecture, attention } = await withOpenFile(options.basePath, async (source) => ggufFacts([await readGguf(source)]));
  if (attention === null) throw new ToolError('unsupported', `${options.basePath} names no attention heads`);
  const base = { architecture, heads: attention.heads, keyValueHeads: attention.keyValueHeads[0] ?? attention.heads };
  const { bytes, ...facts } = loraToGguf(adapter.config, adapter.weights, base, options.type);
  await mkdir(dirname(options.outputPath), { recursive: true });
  await writeFileAtomic(options.outputPath, bytes);
  return facts;
}
