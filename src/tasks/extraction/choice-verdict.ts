// What a choice rule says, and what several rules ask about a letter: joined to others, or contradicted by its own text.
import type { ChoiceContext } from './choice-context.ts';
import { optionWords } from './cue-words.ts';
import type { OptionLetter } from './option-letters.ts';
import { optionEqualTo } from './option-texts.ts';
import { gapBetween } from './words.ts';

/** `index`: decided. `stop`: the text says something that is no single option, so no later rule may guess. */
export type ChoiceVerdict =
  | { readonly kind: 'chosen'; readonly index: number; readonly rule?: string }
  | { readonly kind: 'stop'; readonly reason: 'ambiguous' | 'out-of-set'; readonly detail: string };

export function chosen(index: number, rule?: string): ChoiceVerdict {
  return rule === undefined ? { kind: 'chosen', index } : { kind: 'chosen', index, rule };
}

export function ambiguous(detail: string): ChoiceVerdict {
  return { kind: 'stop', reason: 'ambiguous', detail };
}

/** "Answer: A or B", "A, C": how many distinct options are joined after a cue. */
export function joinedLetters({ words, text, letterAt, negated }: ChoiceContext, letter: OptionLetter): number {
  const found = new Set([letter.index]);
  for (let on = letter.word + 1; on < words.length && on < letter.word + 12; on++) {
    const gap = gapBetween(text, words[on - 1]!.end, words[on]!.start);
    if (gap.stop || gap.newline || gap.link) break;
    const word = words[on]!.text;
    const next = letterAt.get(on);
    if (
      next !== undefined &&
      (!next.lower || (letter.lower && next.closed)) &&
      !negated.has(on) &&
      (gap.comma || joins.has(words[on - 1]!.text) || optionWords.has(words[on - 1]!.text))
    )
      found.add(next.index);
    else if (!joins.has(word) && !optionWords.has(word)) break;
  }
  return found.size;
}

export const joins = new Set([
  'and',
  'or',
  'und',
  'oder',
  'et',
  'ou',
  'y',
  'o',
  'e',
  'i',
  'lub',
  'или',
  'и',
  've',
  'veya',
  'either',
  'both',
  'possibly',
  'maybe',
  'perhaps',
  'also',
]);

/** "B) Rome" where Rome is option A. */
export function contradicts({ text, options }: ChoiceContext, letter: OptionLetter): boolean {
  const line = text.slice(letter.end, letter.end + 300).split('\n', 1)[0]!;
  const match = line.match(/^[*_\s]*[).:\]-][)\]*_\s:.-]*(.+)$/);
  if (match === null) return false;
  const same = optionEqualTo(match[1]!, options);
  return typeof same === 'number' && same !== letter.index;
}
