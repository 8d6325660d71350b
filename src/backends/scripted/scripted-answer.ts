// Turns a rule into a generation or scores: limits, stop strings and token counts as a real backend applies them.
import { ToolError } from '../../core/errors.ts';
import type { ChoiceScore, FinishReason, GenerationSettings, Usage } from '../../core/generation.ts';
import type { ScriptRule } from './script.ts';

/** The scripted tokenizer: one token per run of non-space characters. */
export function countWords(text: string): number {
  let count = 0;
  let inWord = false;
  for (let index = 0; index < text.length; index++) {
    const isSpace = text.charCodeAt(index) <= 32;
    if (!isSpace && !inWord) count++;
    inWord = !isSpace;
  }
  return count;
}

export interface ScriptedText {
  readonly text: string;
  readonly finishReason: FinishReason;
}

/** The answer's text after stop strings and the token limit. */
export function scriptedText(rule: ScriptRule, instruction: string, settings: GenerationSettings): ScriptedText {
  const full = rule.echo === true ? instruction : (rule.text ?? '');
  let end = full.length;
  let stopped = false;
  for (const stop of settings.stop) {
    const at = full.indexOf(stop);
    if (at !== -1 && at < end) {
      end = at;
      stopped = true;
    }
  }
  const limit = endOfWords(full, settings.maxTokens);
  if (limit < end) return { text: full.slice(0, limit), finishReason: rule.finishReason ?? 'length' };
  return { text: full.slice(0, end), finishReason: rule.finishReason ?? (stopped ? 'stop-string' : 'stop') };
}

/** Where the n-th word ends; the text's length if it has no more words than that. */
function endOfWords(text: string, words: number): number {
  if (text.length <= words) return text.length;
  let left = words;
  let inWord = false;
  let end = text.length;
  for (let index = 0; index < text.length; index++) {
    const isSpace = text.charCodeAt(index) <= 32;
    if (!isSpace && !inWord && --left < 0) return end;
    if (isSpace && inWord) end = index;
    inWord = !isSpace;
  }
  return text.length;
}

export function scriptedUsage(rule: ScriptRule, prompt: string, text: string): Usage {
  const given = rule.usage;
  return {
    promptTokens: given?.promptTokens ?? countWords(prompt),
    cachedTokens: given?.cachedTokens ?? null,
    completionTokens: given?.completionTokens ?? countWords(text) + countWords(rule.reasoning ?? ''),
    reasoningTokens: given?.reasoningTokens ?? (rule.reasoning === undefined ? null : countWords(rule.reasoning)),
    source: 'tokenizer',
  };
}

/** @throws ToolError `backend` where the table lacks a continuation */
export function scriptedScores(rule: ScriptRule, continuations: readonly string[]): readonly ChoiceScore[] {
  const { scores } = rule;
  const logprobs = continuations.map((continuation, index) => {
    if (scores === 'hash') return hashScore(continuation);
    if (scores === 'length') return -continuation.length;
    const value = Array.isArray(scores) ? scores[index] : (scores as Record<string, number> | undefined)?.[continuation];
    if (value !== undefined) return value;
    const shown = JSON.stringify(continuation.length > 60 ? `${continuation.slice(0, 57)}...` : continuation);
    throw new ToolError('backend', `the script has no score for choice ${index + 1}, ${shown}`);
  });
  return logprobs.map((logprob, index) => ({
    logprob,
    tokens: Math.max(1, countWords(continuations[index]!)),
    greedy: logprob > Math.log(0.5),
  }));
}

/** FNV-1a over the text, spread over (-12, 0]. */
function hashScore(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return -((hash >>> 0) / 2 ** 32) * 12;
}
