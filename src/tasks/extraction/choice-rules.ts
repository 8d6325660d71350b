// The ordered rules that read a choice. The first rule that decides wins; its name is stored with the sample.

import { boxedContents, lastBoxed } from './boxed.ts';
import type { ChoiceContext } from './choice-context.ts';
import { type ExplicitCue, explicitCues, isOthersChoice, lastConclusion } from './choice-cues.ts';
import { correctionOpeners, fillers, namingNouns, optionWords } from './cue-words.ts';
import { answerOfJson } from './json-answer.ts';
import { nextVisible, type OptionLetter } from './option-letters.ts';
import { optionEqualTo, optionStartingAt, optionsMentioned } from './option-texts.ts';
import { gapBetween, type Word } from './words.ts';

/** `index`: decided. `stop`: the text says something that is no single option, so no later rule may guess. */
export type ChoiceVerdict =
  | { readonly kind: 'chosen'; readonly index: number; readonly rule?: string }
  | { readonly kind: 'stop'; readonly reason: 'ambiguous' | 'out-of-set'; readonly detail: string };

export interface ChoiceRule {
  readonly name: string;
  readonly read: (context: ChoiceContext) => ChoiceVerdict | undefined;
}

export const choiceRules: readonly ChoiceRule[] = [
  { name: 'whole-text', read: exactOption },
  { name: 'json-key', read: jsonKey },
  { name: 'answer-cue', read: lastExplicit },
  { name: 'whole', read: wholeLetter },
  { name: 'leading', read: leadingLetter },
  { name: 'leading-text', read: leadingText },
  { name: 'conclusion', read: conclusion },
  { name: 'only-text', read: onlyText },
  { name: 'only-letter', read: onlyLetter },
];

function chosen(index: number, rule?: string): ChoiceVerdict {
  return rule === undefined ? { kind: 'chosen', index } : { kind: 'chosen', index, rule };
}

function ambiguous(detail: string): ChoiceVerdict {
  return { kind: 'stop', reason: 'ambiguous', detail };
}

/** The whole reply is an option text. A reply that is a bare letter is left to the letter rules unless it is also its own option. */
function exactOption({ text, options, labels }: ChoiceContext): ChoiceVerdict | undefined {
  if (text.length > 400) return undefined;
  const same = optionEqualTo(text, options);
  if (same === undefined) return undefined;
  const label = labels.index.get(text.trim().toLowerCase());
  if (label !== undefined && label !== same)
    return labels.letters ? ambiguous('both a label and the text of another option') : chosen(typeof same === 'number' ? same : label);
  return same === 'several' ? ambiguous('two options have this text') : chosen(same);
}

function jsonKey({ text, options, labels }: ChoiceContext): ChoiceVerdict | undefined {
  const answer = answerOfJson(text);
  if (answer === undefined) return undefined;
  const label = labels.index.get(
    answer
      .trim()
      .toLowerCase()
      .replace(/^[\s("']+|[\s).:"']+$/g, ''),
  );
  if (label !== undefined) return chosen(label);
  const same = optionEqualTo(answer, options);
  if (typeof same === 'number') return chosen(same);
  const labelled = answer.trim().match(/^\(?([\p{L}\p{N}]{1,4})\s*[).:-]\s*(.+)$/su);
  const named = labelled ? labels.index.get(labelled[1]!.toLowerCase()) : undefined;
  return named === undefined ? undefined : chosen(named);
}

/** Cues that decide nothing after which the search is given up. */
const maxCues = 40;

/** The last explicit cue or box, with what corrects it. */
function lastExplicit(context: ChoiceContext): ChoiceVerdict | undefined {
  const box = boxedChoice(context);
  let tried = 0;
  for (const cue of explicitCues(context)) {
    if (box !== undefined && box.cue.at > cue.at) return corrected(context, box.cue, box.verdict);
    const verdict = readCue(context, cue);
    if (verdict !== undefined) {
      const stated = cue.rule === 'correct-cue' ? statedBefore(context, cue) : undefined;
      return stated === undefined ? corrected(context, cue, verdict) : corrected(context, stated.cue, stated.verdict);
    }
    if (++tried > maxCues) break;
  }
  if (box !== undefined) return corrected(context, box.cue, box.verdict);
  return corrected(context, undefined, undefined);
}

/** "Answer: B ... A is correct in summer": a stated answer outweighs a later remark, unless the text corrects itself. */
function statedBefore(
  context: ChoiceContext,
  remark: ExplicitCue,
): { readonly cue: ExplicitCue; readonly verdict: ChoiceVerdict } | undefined {
  let tried = 0;
  for (const cue of explicitCues(context)) {
    if (cue.at >= remark.at || cue.rule !== 'answer-cue' || cue.colon !== true) continue;
    const verdict = readCue(context, cue);
    if (verdict !== undefined) return { cue, verdict };
    if (++tried > maxCues) break;
  }
  return undefined;
}

function readCue(context: ChoiceContext, cue: ExplicitCue): ChoiceVerdict | undefined {
  const { letter } = cue;
  const { options, text } = context;
  if (letter === undefined) return readCuedText(context, cue);
  if (context.labels.numeric) {
    const line = text.slice(letter.start, letter.start + 80).split('\n', 1)[0]!;
    const same = optionEqualTo(line, options);
    if (typeof same === 'number') return chosen(same, 'cue-text');
    const starting = optionStartingAt(line, options);
    if (starting !== undefined) return chosen(starting.index, 'cue-text');
  }
  if (context.negated.has(letter.word)) return undefined;
  const joined = joinedLetters(context, letter);
  if (joined > 1) return joined === context.labels.count && joined > 2 ? undefined : ambiguous('several options after the cue');
  if (contradicts(context, letter)) return ambiguous('the letter and the option text differ');
  return chosen(letter.index, cue.rule);
}

/** "Answer: A or B", "A, C": how many distinct options are joined after a cue. */
function joinedLetters({ words, text, letterAt, negated }: ChoiceContext, letter: OptionLetter): number {
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

const joins = new Set([
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
function contradicts({ text, options }: ChoiceContext, letter: OptionLetter): boolean {
  const line = text.slice(letter.end, letter.end + 300).split('\n', 1)[0]!;
  const match = line.match(/^[*_\s]*[).:\]-][)\]*_\s:.-]*(.+)$/);
  if (match === null) return false;
  const same = optionEqualTo(match[1]!, options);
  return typeof same === 'number' && same !== letter.index;
}

const refusals =
  /^(?:none|neither|unknown|i (?:don't|do not|cannot|can't|am not)|don't|unclear|undetermined|cannot|can't|not (?:sure|possible|given)|n\/a|no (?:answer|correct|option)|keine|aucune|ninguna|nessuna|nenhuma|insufficient|all of|both)\b/;

/** Text after a cue: an option text, a refusal, or prose that decides nothing. */
function readCuedText(context: ChoiceContext, cue: ExplicitCue): ChoiceVerdict | undefined {
  const { text, options, labels } = context;
  let from = cue.rest!;
  while (from > 0 && '-+.$€£([{"\'*'.includes(text[from - 1]!)) from -= 1;
  const tail = text.slice(from, from + 600).replace(/^[\s*_"'`]+/, '');
  const line = tail.split('\n', 1)[0]!;
  const sentence = line.replace(/(?<=[^\d\s]{2})[.;!](?:\s.*)?$/, '');
  const same = optionEqualTo(line, options) ?? optionEqualTo(sentence, options);
  if (same === 'several') return ambiguous('two options have this text');
  if (same !== undefined) return chosen(same, 'cue-text');
  const starting = optionStartingAt(tail, options);
  if (starting !== undefined) {
    const rest = tail.slice(starting.end).split('\n', 1)[0]!;
    const others = optionsMentioned(rest, options);
    return /^\s*(?:or|and|oder|ou|o|y|und|et|\/|,)\s/i.test(rest) && others?.some((index) => index !== starting.index)
      ? ambiguous('several options after the cue')
      : chosen(starting.index, 'cue-text');
  }
  const boxed = lastBoxed(tail.slice(0, 200));
  if (boxed !== undefined) {
    const inBox = optionEqualTo(boxed, options);
    if (typeof inBox === 'number') return chosen(inBox, 'boxed');
  }
  if (cue.colon !== true && !/^(?:none|neither|unknown|unclear|both)\b/i.test(sentence)) return foreignLabel(tail, labels.letters);
  if (refusals.test(tail.toLowerCase())) return { kind: 'stop', reason: 'out-of-set', detail: 'no option is named after the cue' };
  return foreignLabel(tail, labels.letters);
}

/** "The answer is E" with options A to D. */
function foreignLabel(tail: string, letters: boolean): ChoiceVerdict | undefined {
  return letters && /^\(?[A-Z][).\s]*(?:$|\n)/.test(tail.slice(0, 12)) && tail.length < 12
    ? { kind: 'stop', reason: 'out-of-set', detail: 'a letter that is no option' }
    : undefined;
}

/** A box counts only if its content is exactly a label, an option text, or both. */
function boxedChoice(context: ChoiceContext): { readonly cue: ExplicitCue; readonly verdict: ChoiceVerdict } | undefined {
  if (!context.text.includes('\\boxed') && !context.text.includes('\\fbox')) return undefined;
  for (const box of boxedContents(context.text).reverse()) {
    const content = box.content
      .replace(/\\(?:text|textbf|mathrm|mathbf|mathsf|textit|operatorname)\s*\{([^{}]*)\}/g, '$1')
      .replace(/[{}$\\]/g, ' ')
      .trim();
    const label = context.labels.index.get(content.toLowerCase().replace(/^[\s(["']+|[\s)\].:"']+$/g, ''));
    const same = optionEqualTo(content, context.options);
    const labelled = content.match(/^\(?([\p{L}\p{N}]{1,4})\s*[).:]\s*(.+)$/su);
    const named = labelled ? context.labels.index.get(labelled[1]!.toLowerCase()) : undefined;
    const index = context.labels.numeric && typeof same === 'number' ? same : (label ?? (typeof same === 'number' ? same : named));
    if (index !== undefined) return { cue: { rule: 'boxed', at: box.start }, verdict: chosen(index, 'boxed') };
    const several = content.split(/\s*(?:,|and|or|\/|;)\s*/).map((part) => context.labels.index.get(part.toLowerCase()));
    if (several.length > 1 && several.every((part) => part !== undefined))
      return { cue: { rule: 'boxed', at: box.start }, verdict: ambiguous('several options in the box') };
  }
  return undefined;
}

const correctionMark = new RegExp(
  `(?:^|[.!?\\n…(—–-]\\s*|,\\s)(${correctionOpeners.map((opener) => opener.replace(',', ',?')).join('|')})(?=[\\s,.:;!…—–-])`,
  'gi',
);

/** After "wait", "actually", "no," the letter that the text moves to; a verdict that nothing takes back stays. */
function corrected(context: ChoiceContext, cue: ExplicitCue | undefined, verdict: ChoiceVerdict | undefined): ChoiceVerdict | undefined {
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
  const after = context.letters.filter((letter) => letter.start > start && letter.bare && !context.negated.has(letter.word));
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

/** The reply is one letter, however decorated, perhaps with its own option text. */
function wholeLetter(context: ChoiceContext): ChoiceVerdict | undefined {
  const { words, letterAt, text } = context;
  if (words.length === 0 || words.length > 4) return undefined;
  const real = words.filter((word, at) => !isTrimming(context, word, at));
  if (real.length !== 1) return undefined;
  const at = words.indexOf(real[0]!);
  const letter = letterAt.get(at);
  if (letter === undefined || context.negated.has(at) || /\?\s*$/.test(text)) return undefined;
  return chosen(letter.index);
}

/** LaTeX commands, option words and a running number before the letter add nothing to it. */
function isTrimming({ text, letterAt, labels }: ChoiceContext, word: Word, at: number): boolean {
  if (text[word.start - 1] === '\\' || optionWords.has(word.text)) return true;
  if (letterAt.has(at)) return false;
  return (
    /^(?:the|it|s|is|b)$/.test(word.text) ||
    (at === 0 && !labels.numeric && /^q?\d{1,3}$/.test(word.text) && ').:'.includes(text[word.end] ?? '-'))
  );
}

/** `B)`, `(B)`, `b.`, `**B:**` at the start, or a first line that is one letter; not where the reply goes on to list the options. */
function leadingLetter(context: ChoiceContext): ChoiceVerdict | undefined {
  const { text, words, letterAt } = context;
  let first = 0;
  while (words[first] !== undefined && optionWords.has(words[first]!.text) && first < 1) first += 1;
  const letter = letterAt.get(first);
  if (letter === undefined || context.negated.has(first)) return undefined;
  const prefix = text.slice(0, words[0]!.start);
  if (prefix.length > 0 && !/^[\s*_`$#>([{<"'“”‘’«»「」『』【】《》\\-]*$/.test(prefix)) return undefined;
  const after = nextVisible(text, letter.end);
  const mark = text[after] ?? '\n';
  const opened = /[([{<【]\s*[*_]*$/.test(text.slice(Math.max(0, letter.start - 4), letter.start));
  const line = /[*_`$\s]*/.test(mark) && text.slice(letter.end).match(/^[*_`$ \t]*(?:\r?\n|$)/);
  if (
    !('.):,]}>】、-–—'.includes(mark) || mark === ':' || opened || line) ||
    (context.labels.numeric && /[,.]/.test(mark) && /\d/.test(text[after + 1] ?? ''))
  )
    return undefined;
  if ((mark === '-' || mark === '–' || mark === '—') && !/\s/.test(text[after + 1] ?? ' ')) return undefined;
  if (mark === ',' && (letterAt.has(first + 1) || /^(?:b|and|or)$/.test(words[first + 1]?.text ?? ''))) return undefined;
  if (listsOptions(context, letter)) return undefined;
  if (contradicts(context, letter)) return ambiguous('the letter and the option text differ');
  return chosen(letter.index);
}

/** Other labels stand at the start of further lines (`A) ...`, `B) ...`) or are joined to the first ("A, B"). */
function listsOptions({ text, letters, words, negated }: ChoiceContext, first: OptionLetter): boolean {
  for (const letter of letters) {
    // A list of the options begins with the first of them; a reply that opens with a later one names its answer.
    if (letter.index <= first.index || letter.start < first.start) {
      if (letter.index < first.index) return false;
      continue;
    }
    const before = words[letter.word - 1]!;
    const named = optionWords.has(before.text) ? before.start : letter.start;
    let back = named - 1;
    while (back >= 0 && ' \t*_`#>([-'.includes(text[back]!)) back -= 1;
    const mark = text[nextVisible(text, letter.end)] ?? '';
    if (text[back] === '\n' && '.):'.includes(mark) && mark !== '' && !negated.has(letter.word)) return true;
    if (text[back] === '.' && mark === ':') return true;
    if (letter.word === first.word + 2 && joins.has(words[first.word + 1]!.text)) return true;
  }
  return false;
}

/** The reply opens with an option text that punctuation or a line end closes: "Paris, because...", "No. There is...". */
function leadingText(context: ChoiceContext): ChoiceVerdict | undefined {
  const { text, options } = context;
  const starting = optionStartingAt(text.slice(0, 700), options);
  if (starting === undefined) return undefined;
  const rest = text.slice(starting.end);
  if (!/^[*_"'”»)\]]*\s*(?:[.,:;!(–—-]|\r?\n|$|because\b|since\b|rather than\b|not\b|instead of\b)/.test(rest)) return undefined;
  if (/^[^.\n]*\b(?:is|are|was) (?:wrong|incorrect|not)\b/i.test(rest.slice(0, 80))) return undefined;
  if (/^\s*,?\s*(?:not|rather than|instead of)\s/.test(rest)) return chosen(starting.index);
  const others = optionsMentioned(text.slice(0, 300), options);
  if (/^\s*,?\s*(?:or|and)\b/.test(rest) || (others !== null && others.length > 1 && /^[*_"']*\s*[,/]/.test(rest))) return undefined;
  const lines = rest.split('\n', 40).slice(1);
  if (lines.some((line) => typeof optionEqualTo(line, options) === 'number' && optionEqualTo(line, options) !== starting.index))
    return ambiguous('lists several options');
  return chosen(starting.index);
}

function conclusion(context: ChoiceContext): ChoiceVerdict | undefined {
  const found = lastConclusion(context);
  if (found === undefined) return undefined;
  const joined = joinedLetters(context, found);
  return joined > 1 ? ambiguous('several options concluded') : chosen(found.index);
}

/** Exactly one option's text occurs, nothing in the reply negates or doubts it, and no letter says otherwise. */
function onlyText(context: ChoiceContext): ChoiceVerdict | undefined {
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
function onlyLetter(context: ChoiceContext): ChoiceVerdict | undefined {
  const found = firmLetters(context);
  if (found.size > 1) return ambiguous('several options, none chosen');
  const [index] = found;
  return index === undefined ? undefined : chosen(index);
}

function firmLetters(context: ChoiceContext): ReadonlySet<number> {
  const found = new Set<number>();
  for (const letter of context.letters) {
    if (found.size > 1) break;
    if (found.has(letter.index)) continue;
    if (
      letter.bare &&
      !context.negated.has(letter.word) &&
      !namesThing(context, letter) &&
      !isAsked(context, letter) &&
      !isOthersChoice(context, letter)
    )
      found.add(letter.index);
  }
  return found;
}

function namesThing({ words, text }: ChoiceContext, letter: OptionLetter): boolean {
  const previous = words[letter.word - 1];
  if (previous !== undefined && /^(?:an?|per)$/.test(previous.text) && letter.start - previous.end === 1) return true;
  if (previous !== undefined && !gapBetween(text, previous.end, letter.start).stop && text[letter.start - 1] !== '(') {
    if (namingNouns.has(previous.text) || /\d$/.test(previous.text)) return true;
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
