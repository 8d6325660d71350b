// Tokens for word overlap between short answers (token F1), in any script.
import { splitWords } from './python-text.ts';

/**
 * `words`: pieces between white space. `cjk_char`: the same, but each Han, Kana or Hangul character is a token of its own,
 * since such text has no spaces and a whole answer would be one token (as in XQuAD and MLQA).
 */
export const answerTokenizers = ['cjk_char', 'words'] as const;
export type AnswerTokenizer = (typeof answerTokenizers)[number];

const cjk = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const cjkOrRest =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]\p{M}*|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]+/gu;

export function answerTokens(text: string, tokenizer: AnswerTokenizer): string[] {
  const words = splitWords(text);
  if (tokenizer === 'words' || !cjk.test(text)) return words;
  return words.flatMap((word) => word.match(cjkOrRest) ?? []);
}
