// Small trainings for the system tests: a generated model that trains in seconds, and the built-in intents for a real one.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256Hex } from '../../src/core/digest.ts';
import type { TrainingExample, TrainingProgress } from '../../src/core/ports/trainer.ts';
import { type ToyVariant, toyModelBytes } from '../../src/formats/toy-model.ts';
import { describeTraining } from '../../src/python/setup-training.ts';
import { cacheRoot } from '../../src/sources/cache-root.ts';
import { createPeftTrainer } from '../../src/training/peft-trainer.ts';
import type { TrainerSettings, TrainingRequestInput } from '../../src/training/training-request.ts';

export const cacheDirectory: string = cacheRoot();
export const python = await describeTraining({ cacheDirectory });
export const hasPython: boolean = python.kind === 'ready';
export const noPython = 'the Python environment is not set up: run `slmbench setup training`';

export function toyBase(folder: string, variant: ToyVariant = 'context') {
  const path = join(folder, `toy-${variant}.gguf`);
  const bytes = toyModelBytes(undefined, variant);
  writeFileSync(path, bytes);
  return { kind: 'gguf', path, digest: sha256Hex(bytes), name: `toy-${variant}` } as const;
}

export function toyExamples(count: number): TrainingExample[] {
  return Array.from({ length: count }, (_, index) => ({
    id: `r${index}`,
    prompt: `<|im_start|>user\nitem ${index % 17} of ${'x'.repeat(index % 5)}<|im_end|>\n<|im_start|>assistant\n`,
    completion: `${index % 2 === 0 ? 'even' : 'odd'}<|im_end|>`,
  }));
}

export function toyRequest(folder: string, settings: Partial<TrainerSettings> = {}, changes: Partial<TrainingRequestInput> = {}) {
  return {
    base: toyBase(folder),
    examples: toyExamples(40),
    validation: toyExamples(6).map((row) => ({ ...row, id: `v${row.id}` })),
    adapterFolder: join(folder, 'peft'),
    checkpointFolder: join(folder, 'base'),
    seed: 3,
    settings: { maxSteps: 12, batchSize: 4, learningRate: 0.02, validationSteps: 4, checkpointSteps: 3, threads: 1, ...settings },
    ...changes,
  } satisfies TrainingRequestInput;
}

export async function train(
  request: unknown,
  options: { readonly onProgress?: (progress: TrainingProgress) => void; readonly signal?: AbortSignal } = {},
) {
  const progress: TrainingProgress[] = [];
  const { signal } = options;
  const outcome = await createPeftTrainer({ cacheDirectory }).train(request, {
    onProgress: (item) => {
      progress.push(item);
      options.onProgress?.(item);
    },
    ...(signal === undefined ? {} : { signal }),
  });
  return { outcome, progress };
}

export interface Intent {
  readonly text: string;
  readonly label: string;
}

export function readIntents(): Intent[] {
  const file = new URL('../../data/builtin/intents.jsonl', import.meta.url);
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Intent);
}
