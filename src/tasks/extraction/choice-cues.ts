// Explicit statements of a choice, wherever they stand: "the answer is B", "B is correct", "I'd go with B", \boxed{B}, "wait, C".
import type { ChoiceContext } from './choice-context.ts';
import {
  answerNouns,
  chooseVerbs,
  concluders,
  copulas,
  fillers,
  goVerbs,
  negators,
  nounPairs,
  optionNouns,
  otherSubjects,
  phraseOpeners,
  rightAdjectives,
  rightPredicates,
  sayVerbs,
} from './cue-words.ts';
import { joiners } from './letter-negation.ts';
import type { OptionLetter } from './option-letters.ts';
import { optionStartingAt } from './option-texts.ts';
import { gapBetween, type Word } from './words.ts';

/** One explicit statement. `letter` undefined: the cue is followed by text, which starts at `rest`. */
export interface ExplicitCue {
  readonly rule: string;
  readonly at: number;
  readonly letter?: OptionLetter;
  readonly rest?: number;
  /** The cue has the form `Answer:`, after which anything is the answer. */
  readonly colon?: boolean;
}

const runNoun = /(?:答案|正解|答え|回答|解答|정답|답변|답|คำตอบ)/u;
const runLink = /(?:是|为|為|選|选|は|이|은|는|คือ)$/u;
const runChoose = /(?:选|選|选择|選擇|選ぶ|選びます)$/u;
const runRight =
  /^(?:选项|選項|项|項|番|が|は|は)?(?:是|为|為|就是)?(?:最)?(?:が)?(?:正确|正確|正解|正しい|対的|对的|對的|最佳|正答|適切|정답|맞|가정답|이정답)|^(?:가|이)$/u;
const runNegated = /(?:不是|并非|不应|不為|不为|ではな|아니)/u;
const conditionals = new Set([
  'if',
  'whether',
  'suppose',
  'supposing',
  'assume',
  'assuming',
  'unless',
  'falls',
  'wenn',
  'ob',
  'si',
  'se',
  'als',
  'jeśli',
  'если',
  'eğer',
]);

function becauseAfter(words: readonly Word[], at: number): boolean {
  return ['because', 'since', 'as'].includes(words[at + 1]?.text ?? '');
}

/** Letters, counted from the end, beyond which no predicate ("B is correct") is looked for. */
const maxLetters = 100;

/** Explicit cues from the last to the first, found as they are asked for. */
export function* explicitCues(context: ChoiceContext): Generator<ExplicitCue> {
  const { words, letterAt } = context;
  let letters = 0;
  for (let at = words.length - 1; at >= 0; at--) {
    const letter = letters > maxLetters ? undefined : letterAt.get(at);
    if (letter !== undefined) letters += 1;
    const cue = nounCue(context, at) ?? verbCue(context, at) ?? (letter === undefined ? undefined : rightCue(context, letter));
    if (cue !== undefined) yield cue;
  }
}

function nounCue(context: ChoiceContext, at: number): ExplicitCue | undefined {
  const { words, text } = context;
  const word = words[at]!;
  const kind = nounKind(context, at);
  if (kind === undefined) return undefined;
  if (conditionals.has(words[at - 1]?.text ?? '') || conditionals.has(words[at - 2]?.text ?? '')) return undefined;
  const opensTag = text[word.end] === '>' && text[word.start - 1] === '<';
  const linked = opensTag || (kind === 'run' && runLink.test(word.text));
  const follow = followLinks(context, at, linked);
  if (follow === undefined || follow.negated) return undefined;
  if (kind === 'colon' && !follow.colon) return undefined;
  if (!follow.linked) return undefined;
  const colon = follow.colon || opensTag;
  if (follow.letter === undefined) return { rule: 'answer-cue', at: word.start, rest: follow.rest, colon };
  if (isQuestioned(text, follow.letter)) return undefined;
  return { rule: 'answer-cue', at: follow.letter.start, letter: follow.letter, colon };
}

/** `answer`, `correct option` (full nouns), `Option:` at the start of a line (colon form only), a run of Han or Kana. */
function nounKind({ words, text }: ChoiceContext, at: number): 'noun' | 'colon' | 'run' | undefined {
  const word = words[at]!;
  if (answerNouns.has(word.text)) return 'noun';
  if (word.text.charCodeAt(0) > 0xe00) return runNoun.test(word.text) && !runNegated.test(word.text) ? 'run' : undefined;
  const previous = words[at - 1];
  if (nounPairs.get(word.text) === previous?.text && previous !== undefined) return 'noun';
  if (!optionNouns.has(word.text)) return undefined;
  if (previous !== undefined && rightAdjectives.has(previous.text)) return 'noun';
  if (rightAdjectives.has(words[at + 1]?.text ?? '')) return 'noun';
  const lineStart = previous === undefined || gapBetween(text, previous.end, word.start).newline || text[word.start - 1] === '"';
  return lineStart ? 'colon' : undefined;
}

interface Follow {
  readonly letter?: OptionLetter;
  readonly rest: number;
  readonly linked: boolean;
  readonly negated: boolean;
  readonly colon: boolean;
}

/** Walks from a noun over adjectives, a copula and fillers to a letter; undefined where the sentence ends first. */
function followLinks(context: ChoiceContext, noun: number, alreadyLinked: boolean): Follow | undefined {
  const { words, text, letterAt } = context;
  let linked = alreadyLinked;
  let colon = false;
  let negated = false;
  let { on, end } = afterListedLabels(context, noun);
  for (let steps = 0; steps < 12; on++, steps++) {
    const word = words[on];
    if (word === undefined) return { rest: end, linked, negated, colon };
    const gap = gapBetween(text, end, word.start);
    if (gap.stop && !(colon || gap.link)) return undefined;
    if (gap.link) {
      linked = true;
      colon = true;
    }
    if (steps === 0 && (gap.newline || text[end] === '(' || text[end] === ']') && startsLine(text, words, noun)) linked = true;
    const letter = letterAt.get(on);
    if (letter?.cued) return { letter, rest: word.start, linked, negated, colon };
    if (linked && negators.has(word.text) && /^[\s*_"']*(?:[.,;!\n]|$)/.test(text.slice(word.end, word.end + 12)))
      return { rest: word.start, linked, negated, colon };
    if (steps < 2 && !linked && /^\d{1,3}$/.test(word.text) && !context.labels.numeric) {
      end = word.end;
      continue;
    }
    const phraseEnd = phraseOpeners.has(word.text) && steps < 3 && !linked ? nextCopula(context, on) : undefined;
    if (phraseEnd !== undefined) {
      on = phraseEnd;
      linked = true;
    } else if (negators.has(word.text)) negated = true;
    else if (copulas.has(word.text) && !(colon && steps > 1)) linked = true;
    else if (phraseOpeners.has(word.text) && steps < 3 && !linked) {
      return undefined;
    } else if (!fillers.has(word.text) && !rightAdjectives.has(word.text) && !(answerNouns.has(word.text) && linked)) {
      return { rest: word.start, linked, negated, colon };
    } else if (linked && colon && isCapital(text, word) && !isKnownFiller(word.text)) return { rest: word.start, linked, negated, colon };
    end = words[on]!.end;
  }
  return undefined;
}

/** "Answer (A/B/C/D): C": the labels to choose from, in brackets after the noun, are no answer. */
function afterListedLabels({ words, text }: ChoiceContext, noun: number): { readonly on: number; readonly end: number } {
  const { end } = words[noun]!;
  const mark = text[end] === ' ' ? text[end + 1] : text[end];
  if (mark !== '(' && mark !== '[' && mark !== '{') return { on: noun + 1, end };
  const list =
    /^\s?[([{]\s?(?:(?:choose|pick|select|one|of|from|between|either|only) ){0,4}\w{1,2}(?:\s?(?:[/,|]|\bor\b)\s?(?:or )?\w{1,2}){1,25}\s?[)\]}]/.exec(
      text.slice(end, end + 120),
    );
  if (list === null) return { on: noun + 1, end };
  let on = noun + 1;
  while (on < words.length && words[on]!.start < end + list[0].length) on += 1;
  return { on, end: end + list[0].length };
}

function isKnownFiller(word: string): boolean {
  return fillers.has(word) || rightAdjectives.has(word) || answerNouns.has(word);
}

function isCapital(text: string, word: Word): boolean {
  return text[word.start] !== word.text[0];
}

function startsLine(text: string, words: readonly Word[], noun: number): boolean {
  for (let back = noun; back > 0; back--) {
    const gap = gapBetween(text, words[back - 1]!.end, words[back]!.start);
    if (gap.newline || gap.stop) return true;
    if (noun - back > 3) return false;
  }
  return true;
}

/** "the answer to the question is": the copula that ends the phrase, within the sentence. */
function nextCopula({ words, text, letterAt }: ChoiceContext, from: number): number | undefined {
  for (let on = from + 1, steps = 0; on < words.length && steps < 16; on++, steps++) {
    const gap = gapBetween(text, words[on - 1]!.end, words[on]!.start);
    if (gap.stop || gap.newline) return undefined;
    if (gap.link && steps > 0) return on - 1;
    if (letterAt.get(on)?.lower === false) return undefined;
    if (copulas.has(words[on]!.text) && words[on]!.text.length > 1) return on;
  }
  return undefined;
}

function isQuestioned(text: string, letter: OptionLetter): boolean {
  let at = letter.end;
  while (at < text.length && ' )*_"\'$]}'.includes(text[at]!)) at += 1;
  return text[at] === '?';
}

function verbCue(context: ChoiceContext, at: number): ExplicitCue | undefined {
  const { words, text, letterAt } = context;
  const word = words[at]!;
  const isRun = word.text.charCodeAt(0) > 0x3000;
  if (
    isRun
      ? !(runChoose.test(word.text) && !/不$|不应?[选選]/u.test(word.text))
      : !chooseVerbs.has(word.text) && !goVerbs.has(word.text) && !sayVerbs.has(word.text)
  )
    return undefined;
  if (!isRun && hasOtherSubject(text, words, at)) return undefined;
  let needsPreposition = goVerbs.has(word.text);
  for (let on = at + 1, steps = 0; on < words.length && steps < 6; on++, steps++) {
    const gap = gapBetween(text, words[on - 1]!.end, words[on]!.start);
    if (gap.stop || gap.newline) return undefined;
    const letter = letterAt.get(on);
    if (letter?.cued && !needsPreposition && (letter.closed || !(letter.lower || (sayVerbs.has(word.text) && !becauseAfter(words, on))))) {
      return isQuestioned(text, letter) || context.negated.has(on) ? undefined : { rule: 'choose-cue', at: letter.start, letter };
    }
    const next = words[on]!.text;
    if (next === 'with' || next === 'for' || next === 'on' || next === 'towards' || next === 'toward') needsPreposition = false;
    else if (!fillers.has(next)) return undefined;
  }
  return undefined;
}

/** "You should select C" is advice, so the speaker's own choice. */
function advises(words: readonly Word[], verb: number): boolean {
  return words[verb - 1]?.text === 'should' || words[verb - 1]?.text === 'must';
}

/** "Students might pick B", "many choose A": a letter that others are said to choose is not the speaker's. */
export function isOthersChoice({ words, text }: ChoiceContext, letter: OptionLetter): boolean {
  for (let back = letter.word - 1, steps = 0; back >= 0 && steps < 4; back--, steps++) {
    if (gapBetween(text, words[back]!.end, words[back + 1]!.start).stop) return false;
    const word = words[back]!.text;
    if (chooseVerbs.has(word) || word === 'chosen' || word === 'think' || word === 'say')
      return hasOtherSubject(text, words, back) && !advises(words, back);
    if (!fillers.has(word)) return false;
  }
  return false;
}

function hasOtherSubject(text: string, words: readonly Word[], at: number): boolean {
  for (let back = at - 1, steps = 0; back >= 0 && steps < 4; back--, steps++) {
    if (gapBetween(text, words[back]!.end, words[back + 1]!.start).stop) return false;
    if (words[back]!.text === 'but') return false;
    if (otherSubjects.has(words[back]!.text)) return true;
  }
  return false;
}

/** "B is the correct answer", "(C) ist richtig", "Bが正解". */
function rightCue(context: ChoiceContext, letter: OptionLetter): ExplicitCue | undefined {
  const { words, text, letterAt, negated } = context;
  if (letter.lower || negated.has(letter.word) || (!letter.bare && context.labels.letters)) return undefined;
  if (conditionals.has(words[letter.word - 1]?.text ?? '') || conditionals.has(words[letter.word - 2]?.text ?? '')) return undefined;
  if (isJoinedBefore(context, letter)) return undefined;
  let linked = false;
  const first = afterOwnText(context, letter);
  for (let on = first, steps = 0; on < words.length && steps < 7; on++, steps++) {
    const gap = gapBetween(text, words[on - 1]!.end, words[on]!.start);
    const word = words[on]!.text;
    if (gap.stop || gap.newline || letterAt.get(on)?.lower === false) return undefined;
    if (steps === 0 && runRight.test(word)) {
      const tail = `${word}${words[on + 1]?.text ?? ''}`;
      return /정답|正|对|對|맞|佳|適/u.test(tail) ? { rule: 'correct-cue', at: letter.start, letter } : undefined;
    }
    if (gap.link || gap.comma) return undefined;
    if (
      steps === 0 &&
      word === 'it' &&
      words[on + 1]?.text === 'is' &&
      /^\s*(?:[.!]|$)/.test(text.slice(words[on + 1]!.end, words[on + 1]!.end + 3))
    )
      return { rule: 'correct-cue', at: letter.start, letter };
    if (linked && (rightPredicates.has(word) || answerNouns.has(word))) {
      const limited = /^(?:[^.!?\n]{0,30}\?|\s+(?:only|if|when|except|about)\b)/.test(text.slice(words[on]!.end, words[on]!.end + 32));
      return limited ? undefined : { rule: 'correct-cue', at: letter.start, letter };
    }
    if (word === 'would') return undefined;
    if (copulas.has(word) || word === 's') linked = true;
    else if (negators.has(word)) return undefined;
    else if (!(linked && (fillers.has(word) || rightAdjectives.has(word)))) return undefined;
  }
  return undefined;
}

/** "A and B are correct", "A, B are correct": the second letter alone is not the answer. */
export function isJoinedBefore({ words, text, letterAt, negated }: ChoiceContext, letter: OptionLetter): boolean {
  const previous = letter.word - 1;
  if (previous < 0) return false;
  const firm = (at: number): boolean => letterAt.get(at)?.lower === false && !negated.has(at);
  const gap = gapBetween(text, words[previous]!.end, letter.start);
  if (gap.stop || gap.newline) return false;
  return (joiners.has(words[previous]!.text) && firm(previous - 1)) || (gap.comma && firm(previous));
}

/** Index of the word after a letter, its own option text passed over: "C. Oslo is right". */
function afterOwnText({ words, text, options }: ChoiceContext, letter: OptionLetter): number {
  if (!letter.closed) return letter.word + 1;
  const from = letter.end + /^[\s).:\]*_-]*/.exec(text.slice(letter.end, letter.end + 10))![0].length;
  const own = optionStartingAt(text.slice(from, from + 400), options);
  if (own === undefined || own.index !== letter.index) return letter.word + 1;
  const next = words.findIndex((word) => word.start >= from + own.end);
  return next < 0 ? words.length : next;
}

/** "so C.", "which leaves D": the last conclusion, less firm than a cue. */
export function lastConclusion(context: ChoiceContext): OptionLetter | undefined {
  const { text, letters, negated } = context;
  for (let at = letters.length - 1, tried = 0; at >= 0 && tried < 200; at--) {
    const letter = letters[at]!;
    if (letter.lower || !letter.closed || !letter.bare) continue;
    tried += 1;
    if (isConcluded(context, letter) && !negated.has(letter.word) && !isQuestioned(text, letter)) return letter;
  }
  return undefined;
}

function isConcluded({ words, text }: ChoiceContext, letter: OptionLetter): boolean {
  let isIt = false;
  for (let back = letter.word - 1, steps = 0; back >= 0 && steps < 6; back--, steps++) {
    const gap = gapBetween(text, words[back]!.end, words[back + 1]!.start);
    const word = words[back]!.text;
    if (gap.stop || gap.newline) return isIt;
    if (undecided.has(word)) return false;
    if (concluders.has(word) || word === 'must' || word === 'has') return true;
    if (!fillers.has(word) && !copulas.has(word) && !pointers.has(word)) return isIt;
    isIt ||= word === 'it' || word === 'this';
  }
  return isIt;
}

const undecided = new Set([
  'or',
  'and',
  'if',
  'whether',
  'either',
  'maybe',
  'perhaps',
  'could',
  'might',
  'may',
  'not',
  'seems',
  'think',
  'thought',
  'initially',
  'first',
]);
const pointers = new Set(['to', 'with', 'us', 'me']);
