// Cached answers of one model: looked up and kept under keys that hold all that can change an answer.
import { messageOf } from '../core/errors.ts';
import { noTiming } from '../core/generation.ts';
import type { ModelAnswer, ModelRequest } from '../core/task.ts';
import { cacheKey, explainCacheKey } from './cache-key.ts';
import type { ModelSession } from './model-session.ts';
import type { RunContext } from './run-context.ts';

export interface AnswerCache {
  /** The kept answer, or null. */
  readonly find: (request: ModelRequest, repeat: number) => Promise<ModelAnswer | null>;
  readonly keep: (request: ModelRequest, repeat: number, answer: ModelAnswer) => Promise<void>;
}

/**
 * Null when the run uses no cache, or when only the loaded model could tell its build and it does not load. Loads the model for
 * that reason only.
 */
export async function openAnswerCache({ input, emit }: RunContext, session: ModelSession): Promise<AnswerCache | null> {
  const { cache, plan } = input;
  if (cache === null || plan.cache === 'off') return null;
  let build = input.buildOf?.(session.model);
  if (build === undefined) {
    const backend = await session.load();
    if (backend === null) return null;
    build = backend.identity.build ?? backend.identity.version;
  }
  const keyInput = (request: ModelRequest, repeat: number) => ({ model: session.model, build, request, repeat });
  return {
    find: async (request, repeat) => {
      const kept = await cache.get(cacheKey(keyInput(request, repeat)));
      return isAnswerTo(request, kept) ? kept : null;
    },
    keep: async (request, repeat, answer) => {
      if (!isComplete(answer)) return;
      const input_ = keyInput(request, repeat);
      try {
        await cache.set(cacheKey(input_), withoutTimes(answer), explainCacheKey(input_));
      } catch (error) {
        emit({ kind: 'warning', at: input.clock.utc(), message: `an answer was not cached: ${messageOf(error)}` });
      }
    },
  };
}

/** What was cut off or failed must never be served again. */
function isComplete(answer: ModelAnswer): boolean {
  return answer.kind !== 'generate' || (answer.result.finishReason !== 'cancelled' && answer.result.finishReason !== 'error');
}

/** A damaged or foreign entry is a miss. */
function isAnswerTo(request: ModelRequest, kept: unknown): kept is ModelAnswer {
  if (typeof kept !== 'object' || kept === null || !('kind' in kept) || kept.kind !== request.kind || !('result' in kept)) return false;
  const result = kept.result as { readonly choices?: readonly unknown[]; readonly text?: unknown; readonly logprob?: unknown };
  if (request.kind === 'score') return Array.isArray(result.choices) && result.choices.length === request.request.choices.length;
  return request.kind === 'generate' ? typeof result.text === 'string' : typeof result.logprob === 'number';
}

/** Times and provider fields of an answer are of no use later; tokens only where their alternatives were asked for. */
function withoutTimes(answer: ModelAnswer): ModelAnswer {
  if (answer.kind !== 'generate') return answer;
  const { raw: _raw, chunkGapsMs: _gaps, tokens, ...result } = answer.result;
  const hasAlternatives = tokens?.some((token) => token.top !== undefined) === true;
  return { kind: 'generate', result: { ...result, timing: noTiming, ...(hasAlternatives ? { tokens } : {}) } };
}
