// One generation request through the worker: prompt text, stream with stop strings, usage and times.
import { ToolError } from '../../core/errors.ts';
import type { GenerateRequest, Generation } from '../../core/generation.ts';
import type { GenerateOptions } from '../../core/ports/backend.ts';
import type { RenderedChat } from '../../templating/render-chat.ts';
import { createStopGuard } from '../shared/stop-guard.ts';
import { createThinkingClock } from '../shared/thinking-clock.ts';
import type { ModelWorker } from './model-worker.ts';
import { generatedSchema, readAnswer, textPartSchema } from './worker-answers.ts';

export type PromptParts = Pick<RenderedChat, 'segments' | 'warnings' | 'text'>;

export async function generateWith(
  worker: ModelWorker,
  prompt: PromptParts,
  request: GenerateRequest,
  options: GenerateOptions,
  timeoutMs: number | undefined,
): Promise<Generation> {
  if (request.jsonSchema !== undefined || request.grammar !== undefined)
    throw new ToolError('unsupported', 'transformers models cannot be held to a grammar or JSON Schema here', {
      hint: 'use the GGUF engine',
    });
  if (request.topLogprobs !== undefined)
    throw new ToolError('unsupported', 'transformers models give no token log-probabilities while generating');
  const askedAtMs = performance.now();
  const guard = createStopGuard(request.settings.stop);
  const thinking = createThinkingClock();
  const gaps: number[] = [];
  let text = '';
  let firstMs: number | null = null;
  let answerMs: number | null = null;
  let lastMs: number | null = null;
  const show = (piece: string, timeMs: number) => {
    if (piece === '') return;
    text += piece;
    options.onPart?.({ kind: 'text', text: piece, timeMs });
  };
  const params = { ...request.settings, prompt: prompt.segments, ignoreEndOfText: request.ignoreEndOfText ?? false };
  const answer = await worker.call('generate', params, {
    signal: options.signal,
    timeoutMs,
    onEvent: (event) => {
      const part = readAnswer(textPartSchema, event);
      firstMs ??= part.timeMs;
      if (lastMs !== null) gaps.push(part.timeMs - lastMs);
      lastMs = part.timeMs;
      if (answerMs === null && thinking.push(part.text)) answerMs = part.timeMs;
      show(guard.push(part.text), part.timeMs);
    },
  });
  const result = readAnswer(generatedSchema, answer);
  show(guard.flush(), lastMs ?? result.totalMs);
  const totalMs = result.tokenTimesMs.at(-1) ?? result.totalMs;
  const rest = result.completionTokens - 1;
  const generation: Generation = {
    text,
    finishReason: guard.found() ? 'stop-string' : result.finishReason,
    usage: {
      promptTokens: result.promptTokens,
      cachedTokens: 0,
      completionTokens: result.completionTokens,
      reasoningTokens: null,
      source: 'engine',
      computedTokens: result.promptTokens + Math.max(0, rest),
    },
    timing: {
      queuedMs: Math.max(0, performance.now() - askedAtMs - result.totalMs),
      ttftMs: firstMs,
      ttfaMs: answerMs,
      totalMs: Math.max(totalMs, lastMs ?? 0),
      tpotMs: firstMs === null || rest < 1 ? null : Math.max(0, totalMs - firstMs) / rest,
      prefillMs: result.prefillMs,
      decodeMs: Math.max(0, result.totalMs - result.prefillMs),
    },
    warnings: prompt.warnings,
    chunkGapsMs: gaps,
  };
  options.onPart?.({ kind: 'finish', generation });
  return generation;
}
