// The key of a cached answer: everything that can change the answer, and nothing else.
import { digestOf } from '../core/digest.ts';
import type { PlannedModel } from '../core/plan.ts';
import type { ModelRequest } from '../core/task.ts';

/** Raised whenever the meaning of a request or the form of a stored answer changes. */
const answerProtocol = 'slmbench/answer/1';

export interface CacheKeyInput {
  readonly model: PlannedModel;
  /** Build of the engine or version of the server; null where it does not tell. */
  readonly build: string | null;
  readonly request: ModelRequest;
  readonly repeat: number;
}

/** The inputs of a key in readable form (`slmbench cache explain`). */
export function explainCacheKey({ model, build, request, repeat }: CacheKeyInput): Readonly<Record<string, unknown>> {
  const { facts } = model;
  return {
    protocol: answerProtocol,
    model: {
      digest: facts.digest,
      digestKind: facts.digestKind,
      chatTemplate: facts.chatTemplateDigest,
      adapters: facts.adapters.map(({ digest, scale }) => ({ digest, scale })),
      // Without a content digest only the place (endpoint and model name) says which model answered.
      ...(facts.digestKind === 'sha256' ? {} : { reference: model.reference, revision: facts.revision }),
    },
    backend: { kind: model.backend, build, settings: model.settings },
    request,
    repeat,
  };
}

/** sha256 of the canonical JSON of `explainCacheKey`. */
export function cacheKey(input: CacheKeyInput): string {
  return digestOf(explainCacheKey(input));
}
