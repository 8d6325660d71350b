// A training request in the words of the Python worker: every default spelled out, ratios turned into steps.
import { basename } from 'node:path';
import type { BaseWeights, TrainingRequest } from './training-request.ts';

export function totalStepsOf({ examples, settings }: TrainingRequest): number {
  const rowsPerStep = settings.batchSize * settings.gradientAccumulation;
  return settings.maxSteps ?? Math.max(1, Math.ceil((examples.length * settings.epochs) / rowsPerStep));
}

export function workerBase(base: BaseWeights): Required<BaseWeights> {
  return { ...base, name: base.name ?? basename(base.path).replace(/\.gguf$/iu, '') };
}

/** @param cacheDirectory where a dequantised base is kept */
export function workerRequest(request: TrainingRequest, cacheDirectory: string) {
  const { settings } = request;
  const totalSteps = totalStepsOf(request);
  const stepsPerEpoch = Math.ceil(request.examples.length / (settings.batchSize * settings.gradientAccumulation));
  return {
    base: workerBase(request.base),
    cacheDirectory,
    adapterFolder: request.adapterFolder,
    checkpointFolder: request.checkpointFolder,
    train: request.examples,
    validation: request.validation,
    settings: {
      trainer: settings.trainer,
      lora: settings.lora,
      quantisation: settings.quantisation,
      dtype: settings.dtype,
      totalSteps,
      batchSize: settings.batchSize,
      gradientAccumulation: settings.gradientAccumulation,
      microBatchTokens: settings.microBatchTokens,
      microBatchSize: settings.microBatchSize ?? null,
      learningRate: settings.learningRate,
      schedule: settings.schedule,
      warmupSteps: Math.round(settings.warmupRatio * totalSteps),
      betas: [0.9, 0.999],
      epsilon: 1e-8,
      weightDecay: settings.weightDecay,
      maxGradientNorm: settings.maxGradientNorm,
      maxLength: settings.maxLength,
      seed: request.seed,
      gradientCheckpointing: settings.gradientCheckpointing,
      validation: {
        everySteps: settings.validationSteps ?? stepsPerEpoch,
        patience: settings.earlyStopping ?? 0,
        minimumGain: 0,
        keepBest: true,
      },
      checkpoint: { everySteps: settings.checkpointSteps, keep: 2 },
      loggingSteps: settings.loggingSteps,
      threads: settings.threads ?? null,
    },
  };
}
