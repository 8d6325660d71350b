// Token F1 between a short answer and its reference (Rajpurkar et al., SQuAD, 2016, section 6.1): overlap of token multisets.
import { type AnswerTokenizer, answerTokens } from './answer-tokens.ts';
import { type Normaliser, normaliseAnswer } from './normalise-answer.ts';

export interface TokenF1Options {
  /** @default 'native' */
  readonly normaliser?: Normaliser | undefined;
  /** @default 'cjk_char', or 'words' with the `squad` normaliser */
  readonly tokenizer?: AnswerTokenizer | undefined;
}

/** F1 of two token lists as multisets; two empty lists agree, one empty list does not. */
export function multisetF1(predicted: readonly string[], expected: readonly string[]): number {
  if (predicted.length === 0 || expected.length === 0) return predicted.length === expected.length ? 1 : 0;
  const left = new Map<string, number>();
  for (const token of expected) left.set(token, (left.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of predicted) {
    const available = left.get(token) ?? 0;
    if (available === 0) continue;
    left.set(token, available - 1);
    common++;
  }
  if (common === 0) return 0;
  const precision = common / predicted.length;
  const recall = common / expected.length;
  return (2 * precision * recall) / (precision + recall);
}

/** F1 of one answer against one reference, 0 to 1. */
export function tokenF1(prediction: string, reference: string, options: TokenF1Options = {}): number {
  const normaliser = options.normaliser ?? 'native';
  const tokenizer = options.tokenizer ?? (normaliser === 'squad' ? 'words' : 'cjk_char');
  const tokens = (text: string) => answerTokens(normaliseAnswer(text, normaliser), tokenizer);
  return multisetF1(tokens(prediction), tokens(reference));
}
