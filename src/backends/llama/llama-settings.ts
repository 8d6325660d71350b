// The engine settings of one model: what the user asked for, and defaults for the rest.
import { resolve } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import type { BackendOptions } from '../../core/ports/backend.ts';
import { type EngineSettings, type KvType, kvTypes } from './engine-protocol.ts';
import type { LlamaAccelerator } from './library-location.ts';
import { defaultThreads } from './physical-cores.ts';

export interface LlamaOptions extends BackendOptions {
  /** Tokens per batch, logical and physical. @default 512 */
  readonly batchTokens?: number | undefined;
  /** Type of the KV cache. @default 'f16' */
  readonly kvType?: KvType | undefined;
  /** @default 'auto' */
  readonly flashAttention?: EngineSettings['flashAttention'] | undefined;
  /** Requests that generate at once. @default 4 */
  readonly parallel?: number | undefined;
}

/** @throws ToolError `usage` for a value out of range */
export function resolveSettings(options: LlamaOptions, accelerator: LlamaAccelerator): EngineSettings {
  const kvType = options.kvType ?? 'f16';
  if (!(kvType in kvTypes))
    throw new ToolError('usage', `unknown KV type "${kvType}"`, { hint: `known: ${Object.keys(kvTypes).join(', ')}` });
  const hasGpu = accelerator !== 'cpu';
  return {
    contextTokens: positive(options.contextTokens, 'context') ?? null,
    batchTokens: positive(options.batchTokens, 'batch') ?? 512,
    threads: positive(options.threads, 'threads') ?? defaultThreads(),
    gpuLayers: options.gpuLayers ?? (hasGpu ? -1 : 0),
    kvType,
    flashAttention: options.flashAttention ?? 'auto',
    parallel: options.deterministic === true ? 1 : (positive(options.parallel, 'parallel') ?? 4),
    deterministic: options.deterministic ?? false,
    adapters: (options.adapters ?? []).map(({ path, scale }) => ({ path: resolve(path), scale })),
  };
}

function positive(value: number | undefined, name: string): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value > 0)) return value;
  throw new ToolError('usage', `--${name} must be a whole number above 0, not ${value}`);
}
