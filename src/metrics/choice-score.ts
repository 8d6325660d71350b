// From the log-likelihoods of given choices to a pick: which score, which length, what happens with ties and NaN.
import { z } from 'zod';
import type { PredictedChoice, PredictionRow } from '../core/prediction.ts';
import type { Protocol } from '../core/task.ts';

export type ChoiceNorm = 'none' | 'characters' | 'bytes' | 'mutual-information';

/** Unicode code points of a text, without building an array. */
function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

const encoder = new TextEncoder();

/** Score of one choice under a normalisation; NaN where it is undefined (empty text, missing unconditional score). */
function choiceScore(choice: PredictedChoice, norm: ChoiceNorm): number {
  switch (norm) {
    case 'none':
      return choice.logprob;
    case 'characters':
    case 'bytes': {
      const length = norm === 'characters' ? codePoints(choice.text) : encoder.encode(choice.text).length;
      return length === 0 ? Number.NaN : choice.logprob / length;
    }
    case 'mutual-information':
      return choice.unconditionalLogprob === undefined ? Number.NaN : choice.logprob - choice.unconditionalLogprob;
  }
}

export type Pick =
  | { readonly kind: 'picked'; readonly best: readonly number[]; readonly scores: readonly number[] }
  | { readonly kind: 'undefined'; readonly reason: 'no choices' | 'undefined score' };

/** Indices with the highest score. A NaN makes the row undefined: it is an error, never a prediction. -Infinity is an ordinary lowest score. */
function pickChoice(scores: readonly number[]): Pick {
  if (scores.length === 0) return { kind: 'undefined', reason: 'no choices' };
  let best: number[] = [];
  let highest = Number.NEGATIVE_INFINITY;
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index]!;
    if (Number.isNaN(score)) return { kind: 'undefined', reason: 'undefined score' };
    if (score > highest || best.length === 0) {
      highest = score;
      best = [index];
    } else if (score === highest) best.push(index);
  }
  return { kind: 'picked', best, scores };
}

/** Pick of a row under a normalisation. */
export function pickOfRow(row: PredictionRow, norm: ChoiceNorm): Pick {
  return pickChoice((row.choices ?? []).map((choice) => choiceScore(choice, norm)));
}

/**
 * `share`: a k-way tie earns (gold choices among the tied) / k, so a model that cannot tell the choices apart scores chance.
 * `first`: the first of the tied counts (lm-evaluation-harness).
 */
export type TiePolicy = 'share' | 'first';

/** Options of every metric that picks: `ties`, by default what the protocol of the run does. */
export const tieOptions = { ties: z.enum(['share', 'first']).optional(), protocol: z.enum(['native', 'lm-eval']).optional() };

export function tiePolicy(use: { readonly ties?: TiePolicy | undefined; readonly protocol?: Protocol | undefined }): TiePolicy {
  return use.ties ?? (use.protocol === 'lm-eval' ? 'first' : 'share');
}

export function creditOf(best: readonly number[], gold: readonly number[], ties: TiePolicy): number {
  if (ties === 'first' || best.length === 1) return gold.includes(best[0]!) ? 1 : 0;
  return best.filter((index) => gold.includes(index)).length / best.length;
}

/** Probabilities over the choices: softmax of the log-likelihoods, stable for any scale; null where undefined. */
export function choiceProbabilities(choices: readonly PredictedChoice[]): number[] | null {
  let highest = Number.NEGATIVE_INFINITY;
  for (const choice of choices) {
    if (Number.isNaN(choice.logprob)) return null;
    highest = Math.max(highest, choice.logprob);
  }
  if (choices.length === 0 || !Number.isFinite(highest)) return null;
  const weights = choices.map((choice) => Math.exp(choice.logprob - highest));
  const total = weights.reduce((left, right) => left + right, 0);
  return weights.map((weight) => weight / total);
}
