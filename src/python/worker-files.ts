// The Python worker's own files as they are shipped, and the requirements file for a kind of machine.
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../core/errors.ts';
import { runCommand } from './run-command.ts';

/** `cuda` also holds Triton, solvers and bitsandbytes, which are never loaded on a machine without an NVIDIA GPU. */
export const environmentVariants = ['cpu', 'cuda'] as const;
export type EnvironmentVariant = (typeof environmentVariants)[number];

/** Folder of the worker in the package. */
export const workerFolder: string = fileURLToPath(new URL('../../training/transformers/', import.meta.url));

export function workerFile(name: string): string {
  return join(workerFolder, name);
}

export interface Requirements {
  readonly variant: EnvironmentVariant;
  readonly file: string;
  /** sha256 of the file: names the environment. */
  readonly digest: string;
  /** Rough size of the finished environment, bytes. */
  readonly diskBytes: number;
}

const sizes: Readonly<Record<EnvironmentVariant, number>> = { cpu: 4.7e9, cuda: 6.2e9 };

export async function readRequirements(
  variant: EnvironmentVariant,
  file: string = workerFile(`requirements.${variant}.txt`),
): Promise<Requirements> {
  const content = await readFile(file);
  return { variant, file, digest: createHash('sha256').update(content).digest('hex'), diskBytes: sizes[variant] };
}

/**
 * `SLMBENCH_TORCH` (`cpu` or `cuda`), else `cuda` where nvidia-smi lists a GPU, else `cpu`.
 * @throws ToolError `usage` for another value
 */
export async function chooseVariant(environment: Readonly<Record<string, string | undefined>> = process.env): Promise<EnvironmentVariant> {
  const wanted = environment['SLMBENCH_TORCH'];
  if (wanted !== undefined && wanted !== '') {
    const variant = environmentVariants.find((name) => name === wanted);
    if (variant === undefined)
      throw new ToolError('usage', `SLMBENCH_TORCH is "${wanted}"`, { hint: `expected ${environmentVariants.join(' or ')}` });
    return variant;
  }
  const { code, stdout } = await runCommand('nvidia-smi', ['-L'], { timeoutMs: 10_000 }).catch(() => ({ code: null, stdout: '' }));
  return code === 0 && stdout.includes('GPU ') ? 'cuda' : 'cpu';
}
