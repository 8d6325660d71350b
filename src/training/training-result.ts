// What the worker answers to a training request, checked on arrival, as the outcome that the trainer port promises.
import { z } from 'zod';
import { ToolError } from '../core/errors.ts';
import type { TrainingProgress } from '../core/ports/trainer.ts';

const count = z.number().int().nonnegative();

export const workerResultSchema = z.object({
  globalSteps: count,
  trainingLoss: z.number().nullable(),
  lossCurve: z.array(z.object({ step: count, loss: z.number(), kind: z.enum(['train', 'validation']) })),
  bestStep: count.nullable(),
  stoppedEarly: z.boolean(),
  elapsedSeconds: z.number(),
  supervisedTokens: count,
  trainExamples: count,
  validationExamples: count,
  tooLong: count,
  effect: z.number(),
  fingerprint: z.string(),
  trainableParameters: count,
  peakRssBytes: count.nullable(),
  peakGpuAllocatedBytes: count.nullable(),
  peakGpuReservedBytes: count.nullable(),
  packages: z.record(z.string(), z.string()),
});
export type WorkerTrainingResult = z.infer<typeof workerResultSchema>;

const progressSchema = z.object({
  kind: z.enum(['setup', 'step', 'validation', 'checkpoint', 'alarm', 'note']),
  step: count.optional(),
  totalSteps: count.optional(),
  loss: z.number().nullish(),
  tokensPerSecond: z.number().optional(),
  etaSeconds: z.number().optional(),
  message: z.string().optional(),
});

export function readWorkerResult(value: unknown): WorkerTrainingResult {
  const parsed = workerResultSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ToolError('backend', `the worker's answer is not a training result: ${parsed.error.message.slice(0, 300)}`);
}

/** Null for an event that is none of ours. */
export function readProgress(event: unknown): TrainingProgress | null {
  const parsed = progressSchema.safeParse(event);
  return parsed.success ? parsed.data : null;
}
