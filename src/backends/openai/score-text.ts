// From the log-probabilities of a whole prompt to the score of its end: the continuation after a given context.
import { ToolError } from '../../core/errors.ts';
import type { ChoiceScore } from '../../core/generation.ts';

export interface ScoredToken {
  /** Text piece; null where the server does not show it (the first token, or a start marker). */
  readonly text: string | null;
  readonly logprob: number | null;
  readonly greedy: boolean;
  readonly id?: number | undefined;
}

export interface SplitPrompt {
  readonly context: string;
  readonly continuation: string;
}

/** Spaces at the end of a context belong to the first token of what follows (the rule of lm-eval's `_encode_pair`). */
export function splitPrompt(context: string, continuation: string): SplitPrompt {
  const trimmed = context.trimEnd();
  return { context: trimmed, continuation: context.slice(trimmed.length) + continuation };
}

/**
 * The score of `continuation` at the end of the scored tokens. Pieces are matched from the end, so that start markers do not matter.
 * @returns null where the pieces do not show where the continuation begins (a character cut by tokens); then count tokens instead
 */
export function scoreEnd(tokens: readonly ScoredToken[], continuation: string): ChoiceScore | null {
  let rest = continuation;
  let index = tokens.length;
  while (rest !== '' && index > 0) {
    const text = tokens[--index]!.text;
    if (text === null || text === '') return null;
    if (rest.endsWith(text)) rest = rest.slice(0, rest.length - text.length);
    // A token that spans the border is scored: it holds the beginning of the continuation.
    else if (text.endsWith(rest)) rest = '';
    else return null;
  }
  return rest === '' ? sumFrom(tokens, index) : null;
}

/** The score of all tokens from `start` on. @throws ToolError `backend` where there are none, or one has no log-probability */
export function sumFrom(tokens: readonly ScoredToken[], start: number): ChoiceScore {
  const scored = tokens.slice(start);
  if (scored.length === 0) throw new ToolError('backend', 'the continuation has no token of its own');
  const tokenLogprobs = scored.map(({ logprob }, index) => {
    if (logprob === null)
      throw new ToolError(
        'backend',
        `the server gave no log-probability for token ${start + index}; a continuation needs a context before it`,
      );
    return logprob;
  });
  return {
    logprob: tokenLogprobs.reduce((sum, value) => sum + value, 0),
    tokens: scored.length,
    greedy: scored.every((token) => token.greedy),
    tokenLogprobs,
  };
}
