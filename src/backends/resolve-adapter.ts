// From what the user wrote after --adapter to a GGUF LoRA file that fits the model: PEFT folders are converted into the cache.
import { mkdir, readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { digestOf, sha256Hex } from '../core/digest.ts';
import { messageOf, ToolError } from '../core/errors.ts';
import { ggufFacts } from '../formats/gguf-facts.ts';
import { readGguf } from '../formats/gguf-reader.ts';
import { loraToGguf } from '../formats/lora-gguf.ts';
import { digestFile } from '../sources/file-digest.ts';
import { writeFileAtomic } from '../sources/write-file-atomic.ts';
import { withFileSource } from './file-byte-source.ts';
import type { ResolvedModel } from './resolve-model.ts';

/** As `AdapterFacts` of the model's facts and as the backend's `adapters` option want it. */
export interface ResolvedAdapter {
  /** The GGUF file to load, or the PEFT folder where transformers runs the model. */
  readonly path: string;
  /** sha256 of that file, or over the folder's files: part of every cache key. */
  readonly digest: string;
  readonly scale: number;
  readonly sizeBytes: number;
}

/**
 * Resolves `PATH` or `PATH=SCALE`: a GGUF adapter, or a folder with adapter_config.json and adapter_model.safetensors.
 * @throws ToolError `not-found`, `usage`, `unsupported` (adapter for another architecture) or `integrity`
 */
export async function resolveAdapter(
  text: string,
  model: ResolvedModel,
  context: { readonly cacheDirectory: string },
): Promise<ResolvedAdapter> {
  const { path, scale } = splitScale(text);
  const facts = await stat(path).catch(() => undefined);
  if (facts === undefined)
    throw new ToolError('not-found', `there is no adapter ${path}`, { hint: 'expected a GGUF adapter or a PEFT folder' });
  if (model.backendKind === 'transformers') return { scale, ...(await peftFolder(path, facts.isDirectory(), context)) };
  const file = facts.isDirectory() ? await convertFolder(path, model, context.cacheDirectory) : resolve(path);
  await checkAdapter(file, model);
  const { sha256, sizeBytes } = await digestFile(file, context);
  return { path: file, digest: sha256, scale, sizeBytes };
}

function splitScale(text: string): { readonly path: string; readonly scale: number } {
  const match = /^(.+)=([^=/\\]+)$/u.exec(text);
  if (match === null) return { path: text, scale: 1 };
  const scale = Number(match[2]);
  if (!Number.isFinite(scale)) throw new ToolError('usage', `"${match[2]}" is not a scale`, { hint: 'write --adapter PATH=0.5' });
  return { path: match[1]!, scale };
}

/** transformers loads PEFT folders as they are, DoRA and trained biases included. */
async function peftFolder(
  path: string,
  isFolder: boolean,
  context: { readonly cacheDirectory: string },
): Promise<Omit<ResolvedAdapter, 'scale'>> {
  if (!isFolder)
    throw new ToolError('unsupported', `${path} is no PEFT folder`, { hint: 'a transformers model takes adapters as PEFT folders' });
  const digests: string[][] = [];
  let payloadBytes = 0;
  for (const name of ['adapter_config.json', 'adapter_model.safetensors']) {
    if ((await stat(join(path, name)).catch(() => undefined)) === undefined)
      throw new ToolError('not-found', `${path} is not a PEFT adapter: it has no ${name}`);
    const { sha256, sizeBytes } = await digestFile(join(path, name), context);
    digests.push([name, sha256]);
    payloadBytes = sizeBytes;
  }
  return { path: resolve(path), digest: digestOf(digests), sizeBytes: payloadBytes };
}

async function convertFolder(folder: string, model: ResolvedModel, cacheDirectory: string): Promise<string> {
  const read = async (name: string) =>
    readFile(join(folder, name)).catch((cause: unknown) => {
      throw new ToolError('not-found', `${folder} is not a PEFT adapter: ${name} cannot be read (${messageOf(cause)})`, { cause });
    });
  const config = await read('adapter_config.json');
  const weights = await read('adapter_model.safetensors');
  const attention = model.gguf?.attention ?? null;
  if (model.gguf === null || attention === null) {
    throw new ToolError('unsupported', `a PEFT adapter cannot be converted for ${model.reference}`, {
      hint: 'the base must be a GGUF model',
    });
  }
  const base = {
    architecture: model.gguf.architecture,
    heads: attention.heads,
    keyValueHeads: attention.keyValueHeads[0] ?? attention.heads,
  };
  const { bytes } = loraToGguf(config.toString('utf8'), weights, base);
  const directory = join(cacheDirectory, 'adapters', sha256Hex(bytes).slice(0, 20));
  const path = join(directory, `${basename(resolve(folder))}.gguf`);
  await mkdir(directory, { recursive: true });
  await writeFileAtomic(path, bytes);
  return path;
}

async function checkAdapter(path: string, model: ResolvedModel): Promise<void> {
  const title = basename(path);
  const facts = ggufFacts([await withFileSource(path, (source) => readGguf(source, { title }))]);
  if (facts.kind !== 'adapter')
    throw new ToolError('unsupported', `${title} is not a LoRA adapter`, { hint: 'a whole model is named with -m' });
  const expected = model.gguf?.architecture;
  if (expected !== undefined && facts.architecture !== expected) {
    throw new ToolError('unsupported', `${title} is an adapter for ${facts.architecture} models; ${model.key} is ${expected}`);
  }
}
