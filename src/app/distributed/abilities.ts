// What a worker can run: it announces this and takes nothing else.
import { cpus, hostname, totalmem } from 'node:os';
import { backendKinds } from '../../backends/registry.ts';
import type { PlannedModel } from '../../core/plan.ts';
import { availableMemoryBytes } from '../../profiler/host-facts.ts';

export interface Abilities {
  readonly host: string;
  readonly backends: readonly string[];
  readonly memoryBytes: number;
  readonly cores: number;
  readonly offline: boolean;
  /** Free words that the user gives a worker, e.g. the GPU. */
  readonly labels: readonly string[];
}

export interface AbilityOptions {
  readonly backends?: readonly string[] | undefined;
  readonly memoryBytes?: number | undefined;
  readonly offline?: boolean | undefined;
  readonly labels?: readonly string[] | undefined;
}

export function readAbilities(options: AbilityOptions = {}): Abilities {
  return {
    host: hostname(),
    backends: options.backends ?? backendKinds,
    memoryBytes: options.memoryBytes ?? availableMemoryBytes() ?? totalmem(),
    cores: cpus().length,
    offline: options.offline === true,
    labels: options.labels ?? [],
  };
}

/** Why a worker cannot run a model, or null. Whether its file is there is asked only then. */
export function cannotRun(model: PlannedModel, { backends, memoryBytes }: Abilities): string | null {
  if (!backends.includes(model.backend)) return `backend ${model.backend} is not on this worker (it has ${backends.join(', ')})`;
  const needed = model.estimatedMemoryBytes;
  if (needed !== null && needed > memoryBytes) {
    return `model "${model.key}" needs about ${(needed / 2 ** 30).toFixed(1)} GiB, this worker has ${(memoryBytes / 2 ** 30).toFixed(1)} GiB`;
  }
  return null;
}
