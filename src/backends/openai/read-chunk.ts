// One chunk of an OpenAI-compatible stream (or a whole reply): which text on which channel, counts, finish and errors.
import type { FinishReason, GeneratedToken } from '../../core/generation.ts';
import { errorMessage } from '../shared/server-fault.ts';
import type { ServerCounts, StreamRecorder } from '../shared/stream-recorder.ts';

/** What the end of the stream said so far. */
export interface StreamState {
  finishReason: FinishReason | null;
  /** Message of an error that came inside the stream. */
  error: string | null;
}

// Loosely typed on purpose: this runs once per token, and every field is checked where it is read.
interface Delta {
  readonly role?: unknown;
  readonly content?: unknown;
  readonly reasoning_content?: unknown;
  readonly reasoning?: unknown;
  readonly tool_calls?: unknown;
}
interface Choice {
  readonly delta?: Delta | null;
  readonly message?: Delta | null;
  readonly text?: unknown;
  readonly finish_reason?: unknown;
  readonly stop_reason?: unknown;
  readonly logprobs?: unknown;
}
interface Chunk {
  readonly choices?: readonly Choice[] | null;
  readonly usage?: Readonly<Record<string, unknown>> | null;
  readonly timings?: Readonly<Record<string, unknown>> | null;
  readonly error?: unknown;
  readonly prompt_progress?: unknown;
}

/** Records a parsed chunk; returns true where it carried content. */
export function readChunk(value: unknown, recorder: StreamRecorder, state: StreamState, atMs: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const chunk = value as Chunk;
  if (chunk.error !== undefined && chunk.error !== null) {
    state.error = errorMessage(chunk.error) ?? 'no message';
    return false;
  }
  const choice = chunk.choices?.[0];
  const hasContent = choice !== undefined && readChoice(choice, recorder, state, atMs);
  if (!hasContent) recorder.other(kindOfEmpty(chunk, choice));
  if (chunk.usage !== undefined && chunk.usage !== null) readUsage(chunk.usage, recorder, hasContent);
  if (chunk.timings !== undefined && chunk.timings !== null) readTimings(chunk.timings, recorder);
  return hasContent;
}

function readChoice(choice: Choice, recorder: StreamRecorder, state: StreamState, atMs: number): boolean {
  const delta = choice.delta ?? choice.message;
  const text = textOf(delta?.content) || textOf(choice.text);
  const reasoning = textOf(delta?.reasoning_content) || textOf(delta?.reasoning);
  const tools = delta?.tool_calls === undefined || delta.tool_calls === null ? '' : toolText(delta.tool_calls);
  const hasContent = recorder.chunk(atMs, text, reasoning, tools);
  if (choice.logprobs !== undefined && choice.logprobs !== null) readLogprobs(choice.logprobs, recorder, atMs);
  if (typeof choice.finish_reason === 'string' && choice.finish_reason !== '') {
    if (choice.finish_reason === 'error') state.error ??= 'finish_reason is "error"';
    state.finishReason = finishReasonOf(choice.finish_reason, choice.stop_reason);
  }
  return hasContent;
}

/** Text, or the text parts of a list of parts. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content.map((part) => (typeof part?.text === 'string' ? part.text : '')).join('');
}

function toolText(calls: unknown): string {
  if (!Array.isArray(calls)) return '';
  return calls.map((call) => `${call?.function?.name ?? ''}${call?.function?.arguments ?? ''}`).join('');
}

function kindOfEmpty(chunk: Chunk, choice: Choice | undefined): string {
  if (choice === undefined) return chunk.usage ? 'usage' : chunk.prompt_progress ? 'progress' : 'empty';
  if (typeof choice.finish_reason === 'string') return 'finish';
  return choice.delta?.role === undefined ? 'empty' : 'role';
}

/** vLLM names the stop string in `stop_reason`; other servers say `stop` for both ends. */
function finishReasonOf(reason: string, stopReason: unknown): FinishReason {
  switch (reason) {
    case 'stop':
    case 'eos':
    case 'end_turn':
      return typeof stopReason === 'string' ? 'stop-string' : 'stop';
    case 'stop_sequence':
      return 'stop-string';
    case 'length':
    case 'max_tokens':
      return 'length';
    case 'tool_calls':
    case 'function_call':
      return 'tool-call';
    case 'content_filter':
      return 'content-filter';
    case 'abort':
      return 'error';
    default:
      return reason === 'error' ? 'error' : 'unknown';
  }
}

function count(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}

function readUsage(usage: Readonly<Record<string, unknown>>, recorder: StreamRecorder, isPerChunk: boolean): void {
  const prompt = usage['prompt_tokens_details'] as Readonly<Record<string, unknown>> | null | undefined;
  const completion = usage['completion_tokens_details'] as Readonly<Record<string, unknown>> | null | undefined;
  const counts: ServerCounts = {
    promptTokens: count(usage['prompt_tokens']) || null,
    cachedTokens: count(prompt?.['cached_tokens']),
    completionTokens: count(usage['completion_tokens']),
    reasoningTokens: count(completion?.['reasoning_tokens'] ?? usage['reasoning_tokens']),
  };
  recorder.counts(counts);
  if (isPerChunk && counts.completionTokens !== null) recorder.chunkCount(counts.completionTokens);
}

/** llama-server: `cache_n`, `prompt_n`, `prompt_ms`, `predicted_n`, `predicted_ms`; prompt_n leaves the cached tokens out. */
function readTimings(timings: Readonly<Record<string, unknown>>, recorder: StreamRecorder): void {
  const figures = Object.fromEntries(Object.entries(timings).filter((entry): entry is [string, number] => typeof entry[1] === 'number'));
  const computed = count(figures['prompt_n']);
  const cached = count(figures['cache_n']);
  recorder.counts({
    promptTokens: computed === null || cached === null ? null : computed + cached,
    cachedTokens: cached,
    completionTokens: null,
    reasoningTokens: null,
  });
  // The first token comes with the prompt's time, so `predicted_ms` is of one token fewer: the rate is the server's own figure.
  const tokens = figures['predicted_n'] ?? 0;
  const perTokenMs = figures['predicted_per_token_ms'] ?? (figures['predicted_ms'] ?? 0) / Math.max(1, tokens - 1);
  const decodeMs = tokens > 1 && perTokenMs > 0 ? perTokenMs * tokens : null;
  recorder.timings(figures, figures['prompt_ms'] ?? null, decodeMs);
}

interface ChatLogprob {
  readonly token?: unknown;
  readonly logprob?: unknown;
  readonly id?: unknown;
  readonly top_logprobs?: unknown;
}

function readLogprobs(value: unknown, recorder: StreamRecorder, atMs: number): void {
  const { content, tokens, token_logprobs: values, top_logprobs: tops } = value as Readonly<Record<string, unknown>>;
  if (Array.isArray(content)) {
    for (const item of content as readonly ChatLogprob[]) recorder.token(chatToken(item), atMs);
    return;
  }
  if (!Array.isArray(tokens)) return;
  for (const [index, text] of tokens.entries()) {
    const logprob = Array.isArray(values) && typeof values[index] === 'number' ? values[index] : undefined;
    const top = Array.isArray(tops) && typeof tops[index] === 'object' && tops[index] !== null ? topOfMap(tops[index]) : undefined;
    recorder.token({ text: String(text), logprob, top }, atMs);
  }
}

function chatToken({ token, logprob, id, top_logprobs: top }: ChatLogprob): Omit<GeneratedToken, 'timeMs'> {
  return {
    text: String(token ?? ''),
    ...(typeof id === 'number' ? { id } : {}),
    ...(typeof logprob === 'number' ? { logprob } : {}),
    ...(Array.isArray(top)
      ? { top: top.map((item: ChatLogprob) => ({ text: String(item.token ?? ''), logprob: Number(item.logprob) })) }
      : {}),
  };
}

function topOfMap(map: object): { readonly text: string; readonly logprob: number }[] {
  return Object.entries(map).map(([text, logprob]) => ({ text, logprob: Number(logprob) }));
}
