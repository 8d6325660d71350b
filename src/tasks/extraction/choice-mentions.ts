// The weakest rules: a conclusion, or the only option that a whole reply mentions and does not reject.

import type { ChoiceContext } from './choice-context.ts';
import { isJoinedBefore, isOthersChoice, lastConclusion } from './choice-cues.ts';
import { ambiguous, type ChoiceVerdict, chosen, joinedLetters } from './choice-verdict.ts';
import { namingNouns } from './cue-words.ts';
import type { OptionLetter } from './option-letters.ts';
import { optionsMentioned } from './option-texts.ts';
import { gapBetween } from './words.ts';

export function conclusion(context: ChoiceContext): ChoiceVerdict | undefined {
  const found = lastConclusion(context);
  if (found === undefined) return undefined;
  const joined = joinedLetters(context, found);
  return joined > 1 ? ambiguous('several options concluded') : chosen(found.index);
}

/** Exactly one option's text occurs, nothing in the reply negates or doubts it, and no letter says otherwise. */
export function onlyText(context: ChoiceContext): ChoiceVerdict | undefined {
  if (context.text.length > 600) return undefined;
  const mentioned = optionsMentioned(context.text, context.options);
  if (mentioned === null || mentioned.length === 0) return undefined;
  const bare = firmLetters(context);
  if (mentioned.length > 1) return bare.size === 1 ? undefined : ambiguous('several option texts');
  if (/\?\s*$/.test(context.text)) return undefined;
  return bare.size === 0 || (bare.size === 1 && bare.has(mentioned[0]!))
    ? chosen(mentioned[0]!)
    : ambiguous('letters and option texts differ');
}

/** Exactly one distinct letter that nothing rejects. */
export function onlyLetter(context: ChoiceContext): ChoiceVerdict | undefined {
  const found = firmLetters(context);
  if (found.size > 1) return ambiguous('several options, none chosen');
  const [index] = found;
  return index === undefined ? undefined : chosen(index);
}

function firmLetters(context: ChoiceContext): ReadonlySet<number> {
  const found = new Set<number>();
  let others = -9;
  for (const letter of context.letters) {
    if (found.size > 1) break;
    if (found.has(letter.index)) continue;
    if (letter.bare && !context.negated.has(letter.word) && !namesThing(context, letter) && !isAsked(context, letter)) {
      // "Please choose A, B or C": what is joined to somebody else's letter is somebody else's too.
      if (isOthersChoice(context, letter) || (letter.word - others <= 2 && isJoinedBefore(context, letter))) others = letter.word;
      else found.add(letter.index);
    }
  }
  return found;
}

function namesThing({ words, text }: ChoiceContext, letter: OptionLetter): boolean {
  const previous = words[letter.word - 1];
  if (previous !== undefined && /^(?:an?|per)$/.test(previous.text) && letter.start - previous.end === 1) return true;
  if (previous !== undefined && !gapBetween(text, previous.end, letter.start).stop && text[letter.start - 1] !== '(') {
    if (namingNouns.has(previous.text) || (/\d$/.test(previous.text) && /^[\s-]*$/.test(text.slice(previous.end, letter.start))))
      return true;
    if (text[previous.start] !== previous.text[0] && previous.end - previous.start === 1 && letter.start - previous.end < 3)
      return text[previous.end] === '.';
  }
  const next = words[letter.word + 1];
  return (
    next !== undefined &&
    !letter.closed &&
    next.start - letter.end === 1 &&
    (namingNouns.has(next.text) || /^(?:coli|major|minor|vitamins?|sharp|flat|subtilis)$/.test(next.text))
  );
}

function isAsked({ text }: ChoiceContext, letter: OptionLetter): boolean {
  return /^[^.!?\n]{0,60}\?/.test(text.slice(letter.end, letter.end + 70));
}
