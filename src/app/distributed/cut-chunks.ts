// Cuts a plan into chunks of about equal cost, small enough to lose one and large enough to make claims cheap.
import type { PlannedModel, PlannedTask, RunPlan } from '../../core/plan.ts';

export interface ChunkRange {
  readonly model: number;
  readonly task: number;
  readonly first: number;
  readonly past: number;
}

/** What one sample of a task asks of a model, in tokens. */
export interface SampleSize {
  readonly promptTokens: number;
  readonly newTokens: number;
}

export interface CutOptions {
  /** Seconds of work a chunk should take. @default 30 */
  readonly targetSeconds?: number | undefined;
  /** A fixed number of samples instead. */
  readonly samples?: number | undefined;
}

const fewestSamples = 4;
const mostSamples = 1000;
/** A task is cut into at least so many parts, so that a handful of workers end at about the same time. */
const fewestParts = 24;
/** Rates of an ordinary machine without a GPU: arithmetic for prompts, memory traffic for new tokens. Only their size matters. */
const operationsPerSecond = 2e11;
const bytesPerSecond = 2e10;
/** Where nothing is known of a model, e.g. behind a server. */
const unknownSeconds = 0.25;
const scriptedSeconds = 0.02;
/** Answers end before their limit more often than not. */
const usedShare = 0.5;

/** Estimated seconds of one sample; good to a factor of a few, which is all that cutting needs. */
export function estimateSampleSeconds(model: PlannedModel, task: PlannedTask, size: SampleSize): number {
  if (model.backend === 'scripted') return scriptedSeconds;
  const { parameters, sizeBytes } = model.facts;
  const weights = parameters ?? (sizeBytes === null ? null : sizeBytes * 1.6);
  if (weights === null || weights === 0) return unknownSeconds * (task.kind === 'choose' ? 1 : Math.max(1, size.newTokens / 32));
  const bytes = sizeBytes ?? weights * 2;
  const reading = (size.promptTokens * 2 * weights) / operationsPerSecond;
  const writing = task.kind === 'choose' || task.kind === 'perplexity' ? 0 : (size.newTokens * usedShare * bytes) / bytesPerSecond;
  return reading + writing;
}

/** Chunks in plan order: every sample of every task of every model in exactly one. */
export function cutChunks(plan: RunPlan, sizeOf: (task: PlannedTask) => SampleSize, options: CutOptions = {}): ChunkRange[] {
  const targetSeconds = options.targetSeconds ?? 30;
  return plan.models.flatMap((planned, model) =>
    plan.tasks.flatMap((plannedTask, task) => {
      const seconds = estimateSampleSeconds(planned, plannedTask, sizeOf(plannedTask)) * plan.repeats;
      const total = plannedTask.sampleIds.length;
      const shared = Math.min(mostSamples, Math.ceil(total / fewestParts), Math.round(targetSeconds / seconds));
      const fitting = options.samples ?? Math.max(fewestSamples, shared);
      // Equal parts: no chunk of two samples at the end of each task.
      const parts = Math.max(1, Math.ceil(total / fitting));
      const size = options.samples ?? Math.ceil(total / parts);
      return Array.from({ length: Math.ceil(total / size) }, (_, part) => ({
        model,
        task,
        first: part * size,
        past: Math.min(total, (part + 1) * size),
      }));
    }),
  );
}
