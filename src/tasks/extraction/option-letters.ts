// Finds the words of a text that may be option labels (letters, roman or plain numbers), and says how firmly each can be read as one.

import { letterFollowers } from './cue-words.ts';
import { caseFold, foldText, isDigit } from './fold-text.ts';
import { type Word, wordClass } from './words.ts';

/** Cyrillic and Greek capitals (and a few small letters) that look like Latin ones. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
  (
    'А:a В:b С:c Е:e Н:h І:i Ј:j К:k М:m О:o Р:p Ѕ:s Т:t Х:x У:y а:a с:c е:e і:i ј:j о:o р:p ѕ:s х:x ' +
    'Α:a Β:b Ε:e Ζ:z Η:h Ι:i Κ:k Μ:m Ν:n Ο:o Ρ:p Τ:t Υ:y Χ:x ο:o'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

export interface OptionLabels {
  readonly index: ReadonlyMap<string, number>;
  /** True: labels are single letters, which are also words in some languages. */
  readonly letters: boolean;
  readonly numeric: boolean;
  readonly count: number;
}

export interface OptionLetter {
  readonly index: number;
  readonly word: number;
  readonly start: number;
  readonly end: number;
  /** Written in lower case, or by a lower-case look-alike. */
  readonly lower: boolean;
  /** Something follows that ends it: punctuation, a bracket, the end of the line. */
  readonly closed: boolean;
  /** May be read as a label after a cue. */
  readonly cued: boolean;
  /** May be read as a label with no cue at all. */
  readonly bare: boolean;
}

export function optionLabels(count: number, letters?: readonly string[]): OptionLabels {
  const names = letters ?? Array.from({ length: Math.min(count, 26) }, (_, at) => String.fromCharCode(65 + at));
  const index = new Map<string, number>();
  names.slice(0, count).forEach((name, at) => {
    index.set(caseFold(foldText(name)).replace(/^[\s([]+|[\s)\].:]+$/g, ''), at);
  });
  return {
    index,
    letters: [...index.keys()].every((name) => name.length === 1 && !isDigit(name.charCodeAt(0))),
    numeric: [...index.keys()].every((name) => isDigit(name.charCodeAt(0))),
    count,
  };
}

const pronounVerbs = new Set(['would', 'must', 'can', 'should', 'but', 'as', 'if']);
const wordLetters = new Set(['a', 'i', 'e', 'o', 'y', 'u', 'w', 'z', 'k', 's', 'v']);
const suffixes = new Set(['dir', 'dır', 'dur', 'dür', 'tir', 'tır', 'yi', 'nin', 'si', 'sı', 'nın', 'ya', 'ye']);
const operators = '=+^|×÷\\_';

/** The label at a word, or undefined where the word is none in any context. */
export function optionLetterAt(text: string, words: readonly Word[], at: number, labels: OptionLabels): OptionLetter | undefined {
  const word = words[at]!;
  if (word.end - word.start > 6) return undefined;
  let index = labels.index.get(word.text);
  let lower = isLower(text, word);
  if (index === undefined) {
    if (word.end - word.start !== 1 || !labels.letters) return undefined;
    const latin = lookAlikes.get(text.slice(word.start, word.end));
    if (latin === undefined) return undefined;
    index = labels.index.get(latin);
    if (index === undefined) return undefined;
    lower = text[word.start] === word.text;
  }
  if (gluedToOthers(text, words, at, labels)) return undefined;
  const after = nextVisible(text, word.end);
  const closed = isClosed(after, text, word.end);
  const follower = words[at + 1];
  const followed = follower !== undefined && after === follower.start;
  const wordLike = labels.letters && wordLetters.has(word.text);
  const pronoun = word.text === 'i' && followed && pronounVerbs.has(follower.text);
  const connected = followed && !pronoun && letterFollowers.has(follower.text) && !isUpperStart(text, follower);
  const followedByLabel = followed && labels.index.has(follower.text) && !isLower(text, follower);
  const open = followed && !connected && !followedByLabel && wordClass(text.charCodeAt(follower.start)) === 1;
  return {
    index,
    word: at,
    start: word.start,
    end: word.end,
    lower,
    closed,
    cued: lower ? closed || (!wordLike && !(followed && lower && wordLike)) : closed || !wordLike || !open,
    bare: !lower && !labels.numeric && !(wordLike && open) && !inFormula(text, word),
  };
}

function isLower(text: string, word: Word): boolean {
  const first = text[word.start]!;
  return first === word.text[0] && first !== first.toUpperCase();
}

function isUpperStart(text: string, word: Word): boolean {
  const first = text[word.start]!;
  return first !== first.toLowerCase();
}

/** Position of the first character that is no space, markdown mark or dollar sign. */
export function nextVisible(text: string, from: number): number {
  let at = from;
  while (at < text.length && ' \t*_`$'.includes(text[at]!)) at += 1;
  return at;
}

function isClosed(after: number, text: string, end: number): boolean {
  if (after >= text.length) return true;
  return '\n\r.,;:!?)]}>"\'”’»」』】》。、，=-–—(/\\'.includes(text[after]!) && !(text[after] === '(' && after === end);
}

/** Part of a longer name, number, abbreviation or range: `B-cell`, `C++`, `D.C.`, `I'd`, `2.5`, `A-D`. */
function gluedToOthers(text: string, words: readonly Word[], at: number, labels: OptionLabels): boolean {
  const { start, end } = words[at]!;
  const before = start === 0 ? '' : text[start - 1]!;
  const next = end >= text.length ? '' : text[end]!;
  if (before === '\\' || next === '+' || next === '#' || next === '%' || next === '°' || before === '°' || before === '#')
    return before !== '#' || labels.numeric;
  const after = end + 1 < text.length ? wordClass(text.charCodeAt(end + 1)) : 0;
  const prior = start > 1 ? wordClass(text.charCodeAt(start - 2)) : 0;
  if (before === '/' && prior !== 0 && !labels.index.has(words[at - 1]!.text)) return true;
  if (next === '/' && after !== 0 && !labels.index.has(words[at + 1]!.text)) return true;
  if (next === "'" && after !== 0 && !suffixes.has(words[at + 1]?.text ?? '')) return true;
  if (before === "'" && prior !== 0) return true;
  if ((next === '-' || next === '_' || next === '&') && after !== 0) return true;
  if (before === '_' && prior !== 0) return true;
  if ((before === '-' || before === '&') && prior !== 0 && words[at - 1]!.end - words[at - 1]!.start <= 3) return true;
  if (next === '.' && after !== 0 && abbreviates(text, words[at + 1], labels.numeric)) return true;
  if ((before === '.' || (before === ',' && labels.numeric)) && prior !== 0 && words[at - 1]!.end - words[at - 1]!.start === 1) return true;
  if (labels.numeric && (next === ',' || next === ':' || next === '/') && after !== 0 && isDigit(text.charCodeAt(end + 1))) return true;
  if (labels.numeric && (before === '$' || before === '€' || before === '£') && next !== '$') return true;
  return isTag(text, start, end);
}

function abbreviates(text: string, follower: Word | undefined, numeric: boolean): boolean {
  if (follower === undefined) return false;
  return numeric ? isDigit(text.charCodeAt(follower.start)) : follower.end - follower.start === 1;
}

/** `<b>...</b>` is markup; `<B>` alone is a decorated letter. */
function isTag(text: string, start: number, end: number): boolean {
  if (text[start - 1] === '/' && text[start - 2] === '<') return true;
  return text[start - 1] === '<' && text[end] === '>' && text.startsWith(`</${text.slice(start, end)}>`, closingTag(text, end));
}

function closingTag(text: string, from: number): number {
  const at = text.slice(from, from + 80).indexOf('</');
  return at < 0 ? text.length : from + at;
}

/** A symbol in a formula: an operator stands next to it, or a function takes it as its argument. */
function inFormula(text: string, word: Word): boolean {
  let left = word.start - 1;
  while (left >= 0 && text[left] === ' ') left -= 1;
  let right = word.end;
  while (right < text.length && text[right] === ' ') right += 1;
  const before = text[left] ?? '';
  const after = text[right] ?? '';
  if (
    operators.includes(after) &&
    after !== '' &&
    !(after === '_' && '_ .,\n'.includes(text[right + 1] ?? ' ')) &&
    !(after === '\\' && !/[a-z]/.test(text[right + 1] ?? ''))
  )
    return true;
  if (
    before !== '' &&
    operators.includes(before) &&
    !(before === '_' && left + 1 === word.start) &&
    text.slice(left - 1, left + 1) !== '=>'
  )
    return true;
  return (
    before === '(' &&
    left + 1 === word.start &&
    left > 0 &&
    /[\p{L}\p{N}]/u.test(text[left - 1]!) &&
    word.end - word.start === 1 &&
    !/[a-z]{3}$/i.test(text.slice(Math.max(0, left - 3), left))
  );
}
