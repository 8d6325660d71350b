// One line of an Ollama stream: text, thinking, tool calls, and at the end counts and durations (nanoseconds, absent is unknown).
import type { FinishReason } from '../../core/generation.ts';
import type { StreamRecorder } from '../shared/stream-recorder.ts';

// Loosely typed on purpose: this runs once per token, and every field is checked where it is read.
export interface OllamaLine {
  readonly message?: { readonly content?: unknown; readonly thinking?: unknown; readonly tool_calls?: unknown } | null;
  readonly response?: unknown;
  readonly thinking?: unknown;
  readonly done?: unknown;
  readonly done_reason?: unknown;
  readonly error?: unknown;
  readonly logprobs?: unknown;
  readonly prompt_eval_count?: unknown;
  readonly prompt_eval_cached_count?: unknown;
  readonly eval_count?: unknown;
  readonly prompt_eval_duration?: unknown;
  readonly eval_duration?: unknown;
  readonly load_duration?: unknown;
  readonly total_duration?: unknown;
}

/** Records a line; true where it carried content. */
export function readLine(line: OllamaLine, recorder: StreamRecorder, atMs: number): boolean {
  const text = stringOf(line.message?.content) || stringOf(line.response);
  const thinking = stringOf(line.message?.thinking) || stringOf(line.thinking);
  const calls = line.message?.tool_calls;
  const hasContent = recorder.chunk(atMs, text, thinking, Array.isArray(calls) && calls.length > 0 ? JSON.stringify(calls) : '');
  if (!hasContent) recorder.other(line.done === true ? 'finish' : 'empty');
  if (Array.isArray(line.logprobs)) readLogprobs(line.logprobs, recorder, atMs);
  if (line.done === true) readTotals(line, recorder);
  return hasContent;
}

function readTotals(line: OllamaLine, recorder: StreamRecorder): void {
  recorder.counts({
    promptTokens: countOf(line.prompt_eval_count),
    cachedTokens: countOf(line.prompt_eval_cached_count),
    completionTokens: countOf(line.eval_count),
    reasoningTokens: null,
  });
  const names = ['total_duration', 'load_duration', 'prompt_eval_duration', 'eval_duration'] as const;
  const figures: Record<string, number> = {};
  for (const name of names) if (typeof line[name] === 'number') figures[name] = line[name];
  recorder.timings(figures, milliseconds(line.prompt_eval_duration), milliseconds(line.eval_duration));
}

/** A duration of 0 is Ollama's way of leaving it out. */
function milliseconds(nanoseconds: unknown): number | null {
  return typeof nanoseconds === 'number' && nanoseconds > 0 ? nanoseconds / 1e6 : null;
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value > 0 ? value : null;
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

interface OllamaLogprob {
  readonly token?: unknown;
  readonly logprob?: unknown;
  readonly top_logprobs?: unknown;
}

function readLogprobs(items: readonly OllamaLogprob[], recorder: StreamRecorder, atMs: number): void {
  for (const { token, logprob, top_logprobs: top } of items) {
    const known = {
      text: stringOf(token),
      ...(typeof logprob === 'number' ? { logprob } : {}),
      ...(Array.isArray(top)
        ? { top: top.map((item: OllamaLogprob) => ({ text: stringOf(item.token), logprob: Number(item.logprob) })) }
        : {}),
    };
    recorder.token(known, atMs);
  }
}

/** Ollama says `stop` for the end of the turn and for a stop string alike. */
export function finishReasonOf(reason: unknown): FinishReason {
  if (reason === 'stop' || reason === undefined || reason === '') return 'stop';
  if (reason === 'length') return 'length';
  return reason === 'load' || reason === 'unload' ? 'error' : 'unknown';
}
