// Exports of a trained adapter: merged safetensors, merged GGUF, GGUF adapter, Ollama Modelfile.
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ToolError } from '../core/errors.ts';
import type { ReencodeType } from '../formats/reencode-gguf.ts';
import { requireTraining } from '../python/setup-training.ts';
import { writeFileAtomic } from '../sources/write-file-atomic.ts';
import { assertAdapterFitsBase, readAdapter } from './adapter-files.ts';
import { convertAdapter } from './convert-adapter.ts';
import { callOnce } from './launch-worker.ts';
import { mergeGguf } from './merge-gguf.ts';
import { type ModelfileInput, ollamaModelfile } from './ollama-modelfile.ts';
import type { BaseWeights } from './training-request.ts';
import { workerBase } from './worker-request.ts';

export const exportKinds = ['safetensors', 'gguf', 'adapter', 'modelfile'] as const;
export type ExportKind = (typeof exportKinds)[number];

export interface ExportOptions {
  readonly base: BaseWeights;
  readonly adapterFolder: string;
  /** Folder that receives the export. */
  readonly outputFolder: string;
  /** Base name of the files. @default the base's name + `-tuned` */
  readonly name?: string | undefined;
  /** @default 'F16' */
  readonly ggufType?: ReencodeType | undefined;
  /** Type of merged safetensors. @default 'bfloat16' */
  readonly dtype?: 'bfloat16' | 'float16' | 'float32' | undefined;
  /** For the Modelfile. */
  readonly modelfile?: Omit<ModelfileInput, 'model' | 'adapter'> | undefined;
  readonly cacheDirectory: string;
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Exported {
  readonly kind: ExportKind;
  /** Files or folders that were written. */
  readonly paths: readonly string[];
}

/**
 * Only `safetensors` needs Python.
 * @throws ToolError `integrity` (adapter for another base), `unsupported` (a GGUF export of a base that is no GGUF, DoRA...)
 */
export async function exportModel(kind: ExportKind, options: ExportOptions): Promise<Exported> {
  assertAdapterFitsBase(await readAdapter(options.adapterFolder), options.base.digest);
  await mkdir(options.outputFolder, { recursive: true });
  const name = options.name ?? `${workerBase(options.base).name}-tuned`;
  if (kind === 'safetensors') return { kind, paths: [await exportSafetensors(options, name)] };
  if (options.base.kind !== 'gguf') {
    throw new ToolError('unsupported', `a ${kind} export needs a GGUF base; this one is a folder of safetensors`, {
      hint: 'export safetensors, and convert them with llama.cpp',
    });
  }
  const adapter = join(options.outputFolder, `${name}.lora.gguf`);
  await convertAdapter({ ...options, basePath: options.base.path, baseDigest: options.base.digest, outputPath: adapter });
  if (kind === 'adapter') return { kind, paths: [adapter] };
  if (kind === 'modelfile') {
    const path = join(options.outputFolder, 'Modelfile');
    await writeFileAtomic(path, ollamaModelfile({ ...options.modelfile, model: options.base.path, adapter: `./${basename(adapter)}` }));
    return { kind, paths: [path, adapter] };
  }
  const type = options.ggufType ?? 'F16';
  const merged = join(options.outputFolder, `${name}.${type}.gguf`);
  await mergeGguf({ basePath: options.base.path, adapterPath: adapter, outputPath: merged, type });
  return { kind, paths: [merged, adapter] };
}

async function exportSafetensors(options: ExportOptions, name: string): Promise<string> {
  const { cacheDirectory, threads, signal } = options;
  const environment = await requireTraining({ cacheDirectory });
  const outputFolder = join(options.outputFolder, name);
  await mkdir(dirname(outputFolder), { recursive: true });
  const params = {
    base: workerBase(options.base),
    cacheDirectory,
    adapterFolder: options.adapterFolder,
    outputFolder,
    dtype: options.dtype ?? 'bfloat16',
    threads,
  };
  await callOnce(environment, 'merge', params, { threads, signal });
  return outputFolder;
}
