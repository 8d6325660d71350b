// Asks a loaded model one request: retries what may pass, and turns every other failure into data.
import { messageOf, ToolError } from '../core/errors.ts';
import type { Usage } from '../core/generation.ts';
import type { ErrorClass } from '../core/outcome.ts';
import type { Backend } from '../core/ports/backend.ts';
import type { Clock } from '../core/ports/clock.ts';
import type { ModelAnswer, ModelRequest } from '../core/task.ts';

export interface RetryPolicy {
  /** Tries in all. */
  readonly attempts: number;
  /** Pause before the second try; it doubles for each further one. */
  readonly firstPauseMs: number;
}

export const defaultRetryPolicy: RetryPolicy = { attempts: 3, firstPauseMs: 250 };

export type Asked =
  | { readonly kind: 'answer'; readonly answer: ModelAnswer /** Failures that a retry got over. */; readonly overcome: readonly string[] }
  | { readonly kind: 'error'; readonly class: ErrorClass; readonly message: string }
  | { readonly kind: 'aborted' };

export interface AskContext {
  readonly backend: Backend;
  readonly clock: Clock;
  readonly retry: RetryPolicy;
  /** Aborts at once. */
  readonly stopNow: AbortSignal;
  /** Called after each failed try. */
  readonly onFailure: (error: unknown) => void;
}

export async function askModel(request: ModelRequest, context: AskContext): Promise<Asked> {
  const overcome: string[] = [];
  for (let attempt = 1; ; attempt++) {
    try {
      const answer = await send(context.backend, request, context.stopNow);
      const fault = faultOf(answer);
      if (fault === null) return { kind: 'answer', answer, overcome };
      return { kind: 'error', class: 'backend', message: fault };
    } catch (error) {
      if (context.stopNow.aborted) return { kind: 'aborted' };
      context.onFailure(error);
      if (!(ToolError.isInstance(error) && error.isRetryable && attempt < context.retry.attempts)) {
        return { kind: 'error', class: errorClassOf(error), message: messageOf(error) };
      }
      overcome.push(messageOf(error));
      try {
        await context.clock.sleep(context.retry.firstPauseMs * 2 ** (attempt - 1), context.stopNow);
      } catch {
        return { kind: 'aborted' };
      }
    }
    if (context.stopNow.aborted) return { kind: 'aborted' };
  }
}

export function errorClassOf(error: unknown): ErrorClass {
  const code = ToolError.isInstance(error) ? error.code : 'backend';
  return code === 'timeout' || code === 'transport' || code === 'context-overflow' ? code : 'backend';
}

async function send(backend: Backend, request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
  switch (request.kind) {
    case 'generate':
      return { kind: 'generate', result: await backend.generate(request.request, { signal }) };
    case 'rolling':
      return { kind: 'rolling', result: await backend.rolling(request.request, { signal }) };
    case 'score': {
      const result = await backend.score(request.request, { signal });
      if (request.unconditional === undefined) return { kind: 'score', result };
      const unconditional = await backend.score(request.unconditional, { signal });
      return { kind: 'score', result: { ...result, usage: addUsage(result.usage, unconditional.usage) }, unconditional };
    }
  }
}

/** Why an answer cannot be used, or null: a log-probability that is no number must not reach a score (JSON has none either). */
function faultOf(answer: ModelAnswer): string | null {
  if (answer.kind === 'rolling')
    return Number.isFinite(answer.result.logprob) ? null : `the backend returned log-likelihood ${answer.result.logprob}`;
  if (answer.kind === 'generate') return answer.result.finishReason === 'error' ? 'the backend ended the generation with an error' : null;
  for (const { logprob } of [...answer.result.choices, ...(answer.unconditional?.choices ?? [])]) {
    if (!Number.isFinite(logprob)) return `the backend returned log-likelihood ${logprob} for a choice`;
  }
  return null;
}

function addUsage(left: Usage, right: Usage): Usage {
  const add = (a: number | null | undefined, b: number | null | undefined): number | null => (a == null || b == null ? null : a + b);
  return {
    promptTokens: add(left.promptTokens, right.promptTokens),
    cachedTokens: add(left.cachedTokens, right.cachedTokens),
    completionTokens: add(left.completionTokens, right.completionTokens),
    reasoningTokens: add(left.reasoningTokens, right.reasoningTokens),
    source: left.source,
    computedTokens: add(left.computedTokens, right.computedTokens),
  };
}
