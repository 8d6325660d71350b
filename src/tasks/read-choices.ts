// Reads log-likelihoods: the best option, with ties, missing values and empty continuations made explicit.

import type { ScoreResult } from '../core/generation.ts';
import { scored } from '../core/outcome.ts';
import type { PredictedChoice } from '../core/prediction.ts';
import type { ReadAnswer } from '../core/task.ts';

const unread = { prediction: null, reasoning: null, cleaned: null, extractedBy: null } as const;

/**
 * Arg-max over the options. A missing or non-finite value makes the sample an error (never a silent minus infinity);
 * an option without a single scored token is skipped as unscorable; a tie keeps the first and is named in the warnings.
 * @param texts scored texts without delimiter, in request order
 */
export function readChoices(texts: readonly string[], result: ScoreResult, unconditional: ScoreResult | undefined): ReadAnswer {
  const warnings = result.warnings.map((warning) => warning.message);
  const missing = texts.filter((_, index) => !Number.isFinite(result.choices[index]?.logprob));
  if (missing.length > 0) {
    const message = `no log-probability for ${missing.map((text) => JSON.stringify(text)).join(', ')}`;
    return { ...unread, outcome: { kind: 'error', class: 'backend', message }, warnings };
  }
  const choices = texts.map((text, index) => choiceOf(text, index, result, unconditional));
  const empty = choices.filter((choice) => choice.tokens === 0);
  if (empty.length > 0) {
    const reason = `empty continuation: ${empty.map((choice) => JSON.stringify(choice.text)).join(', ')}`;
    return { ...unread, choices, outcome: { kind: 'skipped', reason }, warnings };
  }
  const best = Math.max(...choices.map((choice) => choice.logprob));
  const winners = choices.flatMap((choice, index) => (choice.logprob === best ? [index] : []));
  if (winners.length > 1) warnings.push(`tie: ${winners.length} options share the highest log-likelihood`);
  const index = winners[0]!;
  return { ...unread, prediction: texts[index]!, predictedIndex: index, choices, outcome: scored, extractedBy: 'log-likelihood', warnings };
}

function choiceOf(text: string, index: number, result: ScoreResult, unconditional: ScoreResult | undefined): PredictedChoice {
  const { logprob, tokens, greedy } = result.choices[index]!;
  const prior = unconditional?.choices[index]?.logprob;
  return prior === undefined || !Number.isFinite(prior)
    ? { text, logprob, tokens, greedy }
    : { text, logprob, tokens, greedy, unconditionalLogprob: prior };
}
