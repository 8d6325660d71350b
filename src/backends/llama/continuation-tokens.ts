// Splits (context, continuation) into token ids as lm-evaluation-harness does (Gao et al. 2024): encode the whole, cut by the context's token count.
import { ToolError } from '../../core/errors.ts';
import type { TextPart } from './engine-protocol.ts';
import type { Vocabulary } from './vocabulary.ts';

export interface TokenPair {
  readonly context: readonly number[];
  readonly continuation: readonly number[];
}

/** White space as Python's str.rstrip sees it, which is the rule that published scores rest on. */
const trailingSpace = /[\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+$/u;

/** Moves white space at the end of the context's data to the head of the continuation; a template's own text stays. */
export function moveTrailingSpace(
  prompt: readonly TextPart[],
  continuation: string,
): { readonly prompt: TextPart[]; readonly moved: string } {
  const parts = [...prompt];
  const last = parts.at(-1);
  const space = last?.kind === 'data' ? (trailingSpace.exec(last.text)?.[0] ?? '') : '';
  if (last === undefined || space === '') return { prompt: parts, moved: continuation };
  parts[parts.length - 1] = { ...last, text: last.text.slice(0, -space.length) };
  return { prompt: parts, moved: space + continuation };
}

/**
 * Ids of a context and a continuation. An empty context becomes the prefix token (BOS, else EOS).
 * @throws ToolError `unsupported` when the continuation has no token of its own
 */
export function encodePair(
  vocabulary: Vocabulary,
  prompt: readonly TextPart[],
  continuation: string,
  encodeContext: (parts: readonly TextPart[]) => readonly number[] = vocabulary.encodePrompt,
): TokenPair {
  if (continuation === '') throw new ToolError('unsupported', 'cannot score an empty continuation: it has no token');
  const { prompt: parts, moved } = moveTrailingSpace(prompt, continuation);
  if (parts.every((part) => part.text === '')) return pairWithoutContext(vocabulary, moved);
  const context = encodeContext(parts);
  const whole = vocabulary.encodePrompt(appendData(parts, moved));
  const rest = whole.slice(context.length);
  if (rest.length === 0) {
    throw new ToolError(
      'unsupported',
      `cannot score the continuation ${JSON.stringify(continuation)}: after this context the tokenizer gives it no token of its own`,
    );
  }
  return { context, continuation: rest };
}

function pairWithoutContext(vocabulary: Vocabulary, continuation: string): TokenPair {
  const tokens = vocabulary.encode([{ kind: 'data', text: continuation }]);
  const prefix = vocabulary.bos ?? vocabulary.eos;
  if (prefix === null) {
    throw new ToolError('unsupported', 'cannot score without a context: the vocabulary has neither a BOS nor an EOS token');
  }
  const rest = tokens[0] === prefix ? tokens.slice(1) : tokens;
  if (rest.length === 0) throw new ToolError('unsupported', 'cannot score an empty continuation: it has no token');
  return { context: [prefix], continuation: rest };
}

function appendData(parts: readonly TextPart[], text: string): readonly TextPart[] {
  const last = parts.at(-1);
  if (last?.kind !== 'data') return [...parts, { kind: 'data', text }];
  return [...parts.slice(0, -1), { kind: 'data', text: last.text + text }];
}
