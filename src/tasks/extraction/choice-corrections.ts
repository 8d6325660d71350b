// Self-correction: "A... no wait, C."

import type { ChoiceContext } from './choice-context.ts';
import type { ExplicitCue } from './choice-cues.ts';
import { ambiguous, type ChoiceVerdict, chosen } from './choice-verdict.ts';
import { correctionOpeners, fillers } from './cue-words.ts';
import type { OptionLetter } from './option-letters.ts';

const correctionMark = new RegExp(
  `(?:^|[.!?\\n…(—–-]\\s*|,\\s)(?:(?:but|oh|ah|hmm?|hmmm|well|uh|um|so|ok|okay)[,.…]{0,3}\\s)?(${correctionOpeners.map((opener) => opener.replace(',', ',?')).join('|')})(?=[\\s,.:;!…—–-])`,
  'gi',
);

/** After "wait", "actually", "no," the letter that the text moves to; a verdict that nothing takes back stays. */
export function corrected(
  context: ChoiceContext,
  cue: ExplicitCue | undefined,
  verdict: ChoiceVerdict | undefined,
): ChoiceVerdict | undefined {
  const { text } = context;
  const from = cue === undefined ? 0 : cue.at;
  if (text.length - from > 4_000) return verdict;
  const tail = text.slice(from);
  let last: RegExpExecArray | undefined;
  for (const match of tail.matchAll(correctionMark)) last = match;
  if (last === undefined) return verdict;
  const start = from + last.index;
  const before = context.letters.some((letter) => letter.start < start && !letter.lower);
  if (!before && verdict === undefined) return verdict;
  const later = context.letters.filter((letter) => letter.start > start && letter.bare);
  const rejected = new Set(later.filter((letter) => context.negated.has(letter.word)).map((letter) => letter.index));
  const after = later.filter((letter) => !rejected.has(letter.index));
  const distinct = new Set(after.map((letter) => letter.index));
  const direct = after.find((letter) => followsDirectly(context, start + last[0].length, letter));
  if (direct?.closed && distinct.size === 1) return chosen(direct.index, 'correction');
  if (
    distinct.size === 1 &&
    verdict !== undefined &&
    after[0]!.index !== (verdict.kind === 'chosen' ? verdict.index : -1) &&
    after[0]!.closed
  )
    return chosen(after[0]!.index, 'correction');
  if (distinct.size > 1 && verdict !== undefined) return ambiguous('taken back without a clear new choice');
  if (
    /(?:that|this|it)(?:'s| is| was) (?:not right|not correct|wrong|incorrect)|i (?:was|am) (?:wrong|mistaken|not sure)|i'm not sure/i.test(
      text.slice(start, start + 200),
    )
  )
    return verdict === undefined ? undefined : ambiguous('taken back');
  return verdict;
}

function followsDirectly({ words, text }: ChoiceContext, from: number, letter: OptionLetter): boolean {
  for (let back = letter.word - 1; back >= 0 && words[back]!.end > from; back--) {
    const word = words[back]!.text;
    if (
      !(fillers.has(word) || word === 'no' || word === 'is' || word === 'must' || word === 'should' || word === 'wait' || word === 'think')
    )
      return false;
    if (letter.word - back > 8) return false;
  }
  return text.slice(from, letter.start).length < 60;
}
