// A backend whose answers and timings are given, for tests of the load generator and of its verdicts.
import { ToolError } from '../../../core/errors.ts';
import { type Generation, noTiming, type Usage } from '../../../core/generation.ts';
import type { Backend } from '../../../core/ports/backend.ts';
import type { Prompt } from '../../../core/prompt.ts';

export interface FakeAnswer {
  /** How long the call takes, ms of real time. */
  readonly takesMs?: number;
  readonly ttftMs?: number | null;
  readonly ttfaMs?: number | null;
  /** Gap between chunks, ms. */
  readonly gapMs?: number;
  readonly tokens?: number | null;
  readonly chunks?: number;
  readonly usage?: Partial<Usage>;
  readonly prefillMs?: number | null;
  readonly queuedMs?: number;
  readonly fails?: 'timeout' | 'transport' | 'backend';
  readonly finish?: Generation['finishReason'];
}

export interface FakeBackend extends Backend {
  readonly prompts: Prompt[];
  readonly mostInFlight: () => number;
}

export function textOfPrompt(prompt: Prompt): string {
  return prompt.kind === 'text' ? prompt.text : prompt.messages.map((message) => message.content).join('\n');
}

/** One token per word, and one at the front. */
export function fakeTokens(prompt: Prompt): number {
  return textOfPrompt(prompt).split(/\s+/).filter(Boolean).length + 1;
}

export function fakeBackend(answer: (index: number, prompt: Prompt) => FakeAnswer = () => ({}), kind: 'scripted' | 'openai' = 'openai'): FakeBackend {
  const prompts: Prompt[] = [];
  let inFlight = 0;
  let most = 0;
  const generate: Backend['generate'] = async ({ prompt, settings }, options) => {
    const index = prompts.push(prompt) - 1;
    const { takesMs = 2, ttftMs = 40, ttfaMs, gapMs = 10, tokens = settings.maxTokens, chunks, usage, prefillMs = null, queuedMs = 0, fails, finish = 'length' } = answer(index, prompt);
    most = Math.max(most, ++inFlight);
    try {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(resolve, takesMs);
        options?.signal?.addEventListener('abort', () => {
          clearTimeout(timer);
          reject(new ToolError('interrupted', 'the request was cancelled'));
        });
      });
    } finally {
      inFlight--;
    }
    if (fails !== undefined) throw new ToolError(fails, `fake ${fails}`, { isRetryable: fails === 'transport' });
    const count = chunks ?? tokens ?? 0;
    const gaps = ttftMs === null ? [] : Array.from({ length: Math.max(0, count - 1) }, () => gapMs);
    const rest = (tokens ?? 0) - 1;
    const totalMs = ttftMs === null ? takesMs : ttftMs + gaps.length * gapMs;
    return {
      text: ttftMs === null ? '' : 'word '.repeat(count),
      finishReason: finish,
      usage: { promptTokens: fakeTokens(prompt), cachedTokens: 0, completionTokens: tokens, reasoningTokens: null, source: 'server', ...usage },
      timing: { ...noTiming, queuedMs, ttftMs, ttfaMs: ttfaMs === undefined ? ttftMs : ttfaMs, totalMs, tpotMs: ttftMs === null || rest < 1 ? null : (totalMs - ttftMs) / rest, prefillMs },
      warnings: [],
      chunkGapsMs: gaps,
    };
  };
  const unsupported = async (): Promise<never> => {
    throw new ToolError('unsupported', 'the fake cannot');
  };
  return {
    specificationVersion: 'v1',
    identity: { kind, name: 'fake', version: null, build: null, settings: {} },
    model: {
      digest: null, digestKind: 'none', file: 'fake', architecture: null, parameters: null, quantisation: null, bitsPerWeight: null, sizeBytes: null,
      trainedContext: null, vocabularySize: null, hasChatTemplate: null, chatTemplateDigest: null, adapters: [], licence: null, revision: null,
    },
    capabilities: {
      generate: true, stream: true, score: false, rolling: false, tokenize: true, chat: true, bench: false, adapters: false, jsonSchema: false,
      contextTokens: null, preferredConcurrency: { score: 1, generate: 8 },
    },
    load: { loadMs: 1, warm: null },
    generate,
    score: unsupported,
    rolling: unsupported,
    render: async (prompt) => ({ text: textOfPrompt(prompt), tokens: Array.from({ length: fakeTokens(prompt) }, (_, index) => index) }),
    bench: unsupported,
    processIds: () => [],
    close: async () => {},
    prompts,
    mostInFlight: () => most,
  };
}
