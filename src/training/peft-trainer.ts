// The trainer port over the Python worker: a LoRA adapter in PEFT layout from text pairs.
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ToolError } from '../core/errors.ts';
import type { Trainer, TrainingOutcome } from '../core/ports/trainer.ts';
import type { InstallProgress } from '../python/install-environment.ts';
import { requireTraining, setupTraining } from '../python/setup-training.ts';
import { readAdapter } from './adapter-files.ts';
import { callOnce } from './launch-worker.ts';
import { parseTrainingRequest } from './training-request.ts';
import { readProgress, readWorkerResult } from './training-result.ts';
import { workerRequest } from './worker-request.ts';

export interface PeftTrainerOptions {
  /** Root of slmbench's cache: the Python environment and dequantised bases lie there. */
  readonly cacheDirectory: string;
  /** Make the Python environment where it is missing, instead of refusing. @default false */
  readonly installs?: boolean | undefined;
  readonly offline?: boolean | undefined;
  readonly onInstall?: ((progress: InstallProgress) => void) | undefined;
}

/** A cancelled training writes a checkpoint before it ends. */
const cancelGraceMs = 120_000;

/**
 * Trains with torch, transformers and peft. `train` takes a `TrainingRequestInput`; a training that was killed and is asked for
 * again goes on from its last checkpoint and ends in the same bytes.
 */
export function createPeftTrainer(options: PeftTrainerOptions): Trainer {
  return {
    kind: 'peft',
    train: async (input, { onProgress, signal }) => {
      const request = parseTrainingRequest(input);
      await assertWritable(request.adapterFolder, request.checkpointFolder);
      const setup = { cacheDirectory: options.cacheDirectory, offline: options.offline, signal, onProgress: options.onInstall };
      const environment = await (options.installs === true ? setupTraining(setup) : requireTraining(setup));
      const { threads, launch } = request.settings;
      const answer = await callOnce(environment, 'train', workerRequest(request, options.cacheDirectory), {
        threads,
        launch,
        signal,
        graceMs: cancelGraceMs,
        onEvent: (event) => {
          const progress = readProgress(event);
          if (progress !== null) onProgress(progress);
        },
      }).catch((thrown: unknown) => {
        throw resumable(thrown);
      });
      return await outcomeOf(answer, request.adapterFolder);
    },
  };
}

/** What a user does after a training that was stopped or killed is the same: give the command again. */
function resumable(thrown: unknown): unknown {
  if (!ToolError.isInstance(thrown)) return thrown;
  const { code, message, hint } = thrown;
  if (code === 'interrupted')
    return new ToolError('interrupted', 'the training was stopped; the same command goes on from its last checkpoint', { cause: thrown });
  if (code !== 'backend' || hint !== undefined) return thrown;
  return new ToolError(code, message, { cause: thrown, hint: 'the same command goes on from the last checkpoint' });
}

async function outcomeOf(answer: unknown, folder: string): Promise<TrainingOutcome> {
  const result = readWorkerResult(answer);
  const adapter = await readAdapter(folder);
  const { size } = await stat(join(folder, 'adapter_model.safetensors'));
  return {
    adapterPath: folder,
    adapterDigest: adapter.digest,
    adapterSizeBytes: size,
    globalSteps: result.globalSteps,
    trainingLoss: result.trainingLoss,
    lossCurve: result.lossCurve,
    bestStep: result.bestStep,
    supervisedTokens: result.supervisedTokens,
    elapsedSeconds: result.elapsedSeconds,
    peakRssBytes: result.peakRssBytes,
    peakGpuAllocatedBytes: result.peakGpuAllocatedBytes,
    peakGpuReservedBytes: result.peakGpuReservedBytes,
    packages: result.packages,
    diagnostics: {
      trainExamples: result.trainExamples,
      validationExamples: result.validationExamples,
      tooLong: result.tooLong,
      trainableParameters: result.trainableParameters,
      largestLogitChange: result.effect,
      stoppedEarly: result.stoppedEarly ? 1 : 0,
    },
  };
}

/** Found out before an hour of training, not after it. */
async function assertWritable(...folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    await mkdir(dirname(folder), { recursive: true }).catch((cause: NodeJS.ErrnoException) => {
      throw new ToolError('storage', `cannot write ${folder}: ${cause.code ?? cause.message}`, {
        cause,
        hint: 'choose another output folder',
      });
    });
  }
}
