// What the toy model must answer, computed in float64 from its definition alone (no engine involved).
import { contextWeight, normEpsilon, type ToyVariant, toyBigramLogs, toyTokens, toyVocabularySize } from './toy-model.ts';
import { toyText } from './toy-text.ts';

export interface ToyScore {
  /** Sum over the continuation's tokens, nats. */
  readonly logprob: number;
  readonly tokens: number;
  /** True if each token is the most likely one. */
  readonly greedy: boolean;
  readonly tokenLogprobs: readonly number[];
}

export interface ToyExpectation {
  /** Log-probability of every token after these tokens, nats; at least one token must be given. */
  readonly logProbabilities: (tokens: readonly number[]) => Float64Array;
  /** Score of a continuation after a context, as token ids. */
  readonly scoreTokens: (context: readonly number[], continuation: readonly number[]) => ToyScore;
  /** Score of text after text; the context starts with BOS as the tokenizer adds it. */
  readonly score: (context: string, continuation: string) => ToyScore;
  /** Greedy continuation: ids until an end token (left out) or the limit. */
  readonly greedy: (context: readonly number[], maxTokens: number) => readonly number[];
}

/** UTF-8 bytes as token ids; the toy tokenizer does nothing else. */
export function toyEncode(text: string, bos = true): number[] {
  return [...(bos ? [toyTokens.bos] : []), ...new TextEncoder().encode(text)];
}

/** Text of byte tokens; control tokens are left out. */
export function toyDecode(tokens: readonly number[]): string {
  return new TextDecoder().decode(Uint8Array.from(tokens.filter((token) => token < 256)));
}

/** The exact answers of `toyModelBytes(text, variant)`. */
export function toyExpectation(text: string = toyText, variant: ToyVariant = 'bigram'): ToyExpectation {
  const logs = toyBigramLogs(text);
  const logProbabilities = (tokens: readonly number[]) => {
    const current = tokens.at(-1)!;
    const logits = Float64Array.from(logs.subarray(current * toyVocabularySize, (current + 1) * toyVocabularySize));
    if (variant === 'context') addContext(logits, tokens);
    return logSoftmax(logits);
  };
  const scoreTokens = (context: readonly number[], continuation: readonly number[]): ToyScore => {
    const seen = [...context];
    let greedy = true;
    const tokenLogprobs = continuation.map((token) => {
      const distribution = logProbabilities(seen);
      greedy &&= argMax(distribution) === token;
      seen.push(token);
      return distribution[token]!;
    });
    return { logprob: tokenLogprobs.reduce((sum, value) => sum + value, 0), tokens: continuation.length, greedy, tokenLogprobs };
  };
  return {
    logProbabilities,
    scoreTokens,
    score: (context, continuation) => scoreTokens(toyEncode(context), toyEncode(continuation, false)),
    greedy: (context, maxTokens) => {
      const tokens = [...context];
      while (tokens.length < context.length + maxTokens) {
        const next = argMax(logProbabilities(tokens));
        if (next === toyTokens.eos || next === toyTokens.turnEnd) break;
        tokens.push(next);
      }
      return tokens.slice(context.length);
    },
  };
}

/**
 * logits = scale * (log P + contextWeight * share). The last norm sees both halves of the state, so its scale is
 * sqrt((1 + e) / (1 + |shares|^2 + e)), where e is the norm's epsilon times the width.
 */
function addContext(logits: Float64Array, tokens: readonly number[]): void {
  const shares = new Float64Array(toyVocabularySize);
  for (const token of tokens) shares[token]! += 1 / tokens.length;
  const squares = shares.reduce((sum, share) => sum + share * share, 0);
  const scale = Math.sqrt((1 + normEpsilon) / (1 + squares + normEpsilon));
  for (let token = 0; token < toyVocabularySize; token++) logits[token] = scale * (logits[token]! + contextWeight * shares[token]!);
}

function logSoftmax(logits: Float64Array): Float64Array {
  const largest = logits.reduce((best, value) => Math.max(best, value), Number.NEGATIVE_INFINITY);
  const total = Math.log(logits.reduce((sum, value) => sum + Math.exp(value - largest), 0)) + largest;
  return logits.map((value) => value - total);
}

function argMax(values: Float64Array): number {
  let best = 0;
  for (let index = 1; index < values.length; index++) if (values[index]! > values[best]!) best = index;
  return best;
}
