// How long a plan will take, for --dry-run and the first ETA: tokens by measured rates, null where a rate is not known.
import type { RunPlan } from '../core/plan.ts';
import { idsOfShard } from './run-slots.ts';

/** Speed of a model on this machine, e.g. from an earlier record. */
export interface ModelRates {
  readonly loadMs: number | null;
  readonly prefillTokensPerSecond: number | null;
  readonly decodeTokensPerSecond: number | null;
}

/** Mean tokens of one sample of a task. */
export interface SampleTokens {
  /** Tokens to evaluate after prefix sharing, all choices together. */
  readonly promptTokens: number;
  readonly completionTokens: number;
}

export interface DurationEstimate {
  /** Sum over models that could be estimated; null where none could. */
  readonly totalMs: number | null;
  readonly models: readonly { readonly model: string; readonly durationMs: number | null }[];
}

export function estimateDuration(
  plan: RunPlan,
  rates: Readonly<Record<string, ModelRates>>,
  tokens: Readonly<Record<string, SampleTokens>>,
): DurationEstimate {
  const models = plan.models.map((model) => ({ model: model.key, durationMs: modelDuration(plan, rates[model.key], tokens) }));
  const known = models.flatMap((model) => (model.durationMs === null ? [] : [model.durationMs]));
  return { totalMs: known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0), models };
}

function modelDuration(plan: RunPlan, rates: ModelRates | undefined, tokens: Readonly<Record<string, SampleTokens>>): number | null {
  if (rates === undefined) return null;
  let durationMs = rates.loadMs ?? 0;
  for (const task of plan.tasks) {
    const sample = tokens[task.key];
    if (sample === undefined) return null;
    const perSample = sum(
      timeFor(sample.promptTokens, rates.prefillTokensPerSecond),
      timeFor(sample.completionTokens, rates.decodeTokensPerSecond),
    );
    if (perSample === null) return null;
    durationMs += perSample * idsOfShard(task, plan.shard).length * plan.repeats;
  }
  return durationMs;
}

function timeFor(tokens: number, tokensPerSecond: number | null): number | null {
  if (tokens === 0) return 0;
  return tokensPerSecond === null || tokensPerSecond <= 0 ? null : (tokens / tokensPerSecond) * 1000;
}

function sum(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}
