// Rolling log-likelihood: the sum and the denominators that perplexities divide by.
import type { RollingResult } from '../core/generation.ts';
import { scored } from '../core/outcome.ts';
import type { Protocol, ReadAnswer } from '../core/task.ts';
import { pythonSpace, splitWords } from '../metrics/text/python-text.ts';

const spaceRun = new RegExp(`[${pythonSpace}]+`, 'u');

/** Words and UTF-8 bytes of the original text. lm-eval counts the empty pieces at both ends as words. */
export function textSize(text: string, protocol: Protocol): { readonly words: number; readonly bytes: number } {
  const words = protocol === 'lm-eval' ? text.split(spaceRun).length : splitWords(text).length;
  return { words, bytes: new TextEncoder().encode(text).length };
}

export function readRolling(result: RollingResult, size: { readonly words: number; readonly bytes: number }): ReadAnswer {
  const warnings = result.warnings.map((warning) => warning.message);
  const empty = { prediction: null, reasoning: null, cleaned: null, extractedBy: null } as const;
  if (!Number.isFinite(result.logprob)) {
    return { ...empty, outcome: { kind: 'error', class: 'backend', message: 'no log-likelihood for this text' }, warnings };
  }
  if (result.tokens === 0) return { ...empty, outcome: { kind: 'skipped', reason: 'no token to score' }, warnings };
  const rolling = { logprob: result.logprob, tokens: result.tokens, words: size.words, bytes: size.bytes };
  return { ...empty, rolling, outcome: scored, extractedBy: 'rolling', warnings };
}
