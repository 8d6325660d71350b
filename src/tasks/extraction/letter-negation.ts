// Which option letters a text rejects: "not B", "B is wrong", "A and B are both out", "rule out C".
import type { OptionTexts } from './choice-context.ts';
import { concluders, copulas, fillers, negators, optionWords, rejectors, rightPredicates, wrongPredicates } from './cue-words.ts';
import { isDoubted } from './doubting-clauses.ts';
import type { OptionLetter } from './option-letters.ts';
import { optionStartingAt } from './option-texts.ts';
import { gapBetween, type Word } from './words.ts';

export const joiners = new Set([
  'and',
  'or',
  'nor',
  'both',
  'all',
  'und',
  'oder',
  'noch',
  'et',
  'ou',
  'y',
  'o',
  'e',
  'i',
  'lub',
  'и',
  'или',
  've',
  'as',
  'well',
]);
const auxiliaries = new Set([
  'does',
  'do',
  'did',
  'can',
  'could',
  'would',
  'should',
  'will',
  'may',
  'might',
  'must',
  'has',
  'have',
  'had',
  'seems',
  'seem',
  'looks',
  'look',
  'appears',
  'appear',
  'sounds',
  'sound',
  'sind',
  'sont',
  'son',
  'sono',
  'são',
  'fails',
  'fail',
  'zijn',
  'są',
  's',
  'were',
  'isn',
  'aren',
  'wasn',
  'doesn',
  'don',
  'cannot',
  'won',
  'wouldn',
  'couldn',
  'shouldn',
  'can',
  'were',
  'wird',
  'ist',
  'kann',
  'ne',
  'n',
  'no',
  'nie',
  'не',
]);
const contrast = new Set(['but', 'sondern', 'mais', 'sino', 'ma', 'bensì', 'mas', 'maar', 'lecz', 'ale', 'а', 'но', 'only', 'just']);
/** Chinese, Japanese and Korean: a run after or before a letter that rejects it. */
const rejectingRun =
  /(?:不是|不对|不對|不正确|不正確|不选|不選|错|錯|排除|不成立|ではな|じゃな|ではありません|誤り|間違|不適切|아니|아닙|틀렸|틀린|오답)/u;
/** Korean and Japanese particles between a letter and its predicate. */
const particle = /^[이가은는はがも]$/u;
const rejectingBefore = /(?:不是|不选|不選|不会是|不應|不应|排除|并非|而非|不可能是)$/u;

/** Answers per word index whether the text rejects its letter; worked out when asked, once. */
export interface NegatedLetters {
  readonly has: (word: number) => boolean;
}

export function negatedLetters(
  text: string,
  words: readonly Word[],
  letterAt: ReadonlyMap<number, OptionLetter>,
  options: OptionTexts,
): NegatedLetters {
  const known = new Map<number, boolean>();
  return {
    has(at) {
      let negated = known.get(at);
      if (negated === undefined) {
        negated =
          crossedOut(text, words[at]!.start) ||
          rejectedBefore(text, words, at, letterAt) ||
          isDoubted(text, words[at]!.start) ||
          rejectedAfter(text, words, at, letterAt) ||
          calledWrong(text, words[at]!.end, options);
        known.set(at, negated);
      }
      return negated;
    },
  };
}

function crossedOut(text: string, start: number): boolean {
  return start > 0 && /[❌✗✘☐✖][\s*_(]*$/u.test(text.slice(Math.max(0, start - 5), start));
}

/** "B) London is a false option": the letter's own text stands between it and the predicate. */
function calledWrong(text: string, end: number, options: OptionTexts): boolean {
  if (!').:]'.includes(text[end] ?? ' ')) return false;
  const rest = text.slice(end, end + 600);
  if (!wrongEnding.test(rest)) return false;
  const own = optionStartingAt(rest.slice(1), options);
  return own !== undefined && wrongStart.test(rest.slice(1 + own.end, 1 + own.end + 80));
}

const wrongWords = '(?:wrong|incorrect|false|invalid|bad|not (?:the )?(?:correct|right|true|possible))';
const wrongEnding = new RegExp(`\\b(?:is|are|was|isn't)\\b[^.\\n]{0,30}\\b(?:${wrongWords}|correct|right)`, 'i');
const wrongStart = new RegExp(
  `^[\\s*_"')]*(?:(?:is|are|was) (?:(?:clearly|definitely|obviously|just|also|simply|a|an|the) )*${wrongWords}|isn't (?:the )?(?:correct|right))`,
  'i',
);

/** Walks back over articles, option words and other letters to a negator within the same clause. */
function rejectedBefore(text: string, words: readonly Word[], at: number, letterAt: ReadonlyMap<number, OptionLetter>): boolean {
  for (let back = at - 1, steps = 0; back >= 0 && steps < 8; back--, steps++) {
    const gap = gapBetween(text, words[back]!.end, words[back + 1]!.start);
    if (gap.stop || gap.newline || gap.link) return false;
    const word = words[back]!.text;
    if (concluders.has(word)) return false;
    if (contrast.has(word)) return word === 'only' || word === 'just' ? isNegated(words, back - 1) : false;
    if (rejectors.has(word)) return true;
    if (gap.comma && negators.has(word)) return false;
    if (negators.has(word)) return true;
    if (rejectingBefore.test(word)) return true;
    if (gap.comma && !joiners.has(word) && !(letterAt.has(back) && (letterAt.has(back + 1) || joiners.has(words[back + 1]!.text))))
      return false;
    if (
      !(
        letterAt.has(back) ||
        joiners.has(word) ||
        fillers.has(word) ||
        copulas.has(word) ||
        optionWords.has(word) ||
        word === 'out' ||
        word === 'of'
      )
    )
      return false;
  }
  return false;
}

function isNegated(words: readonly Word[], at: number): boolean {
  return at >= 0 && negators.has(words[at]!.text);
}

/** Walks on over a group of letters and their option texts to a predicate, and reads whether it rejects. */
function rejectedAfter(text: string, words: readonly Word[], at: number, letterAt: ReadonlyMap<number, OptionLetter>): boolean {
  let verb = -1;
  if (asideNamesAnother(text, words, at, letterAt)) return false;
  for (let on = at + 1, steps = 0; on < words.length && steps < 10; on++, steps++) {
    const gap = gapBetween(text, words[on - 1]!.end, words[on]!.start);
    if (gap.stop || gap.newline) return false;
    const word = words[on]!.text;
    if (rejectingRun.test(word)) return true;
    if (gap.link) return false;
    if (particle.test(word)) continue;
    if (copulas.has(word) || auxiliaries.has(word) || wrongPredicates.has(word) || negators.has(word)) {
      if (gap.comma && negators.has(word)) return false;
      verb = on;
      break;
    }
    if (!letterAt.has(on) && !joiners.has(word) && !optionWords.has(word) && !(text[words[on]!.start - 1] === '(' && steps < 2))
      return false;
  }
  if (verb < 0) return false;
  let negation = false;
  for (let on = verb, steps = 0; on < words.length && steps < 7; on++, steps++) {
    if (on > verb) {
      const gap = gapBetween(text, words[on - 1]!.end, words[on]!.start);
      if (gap.stop || gap.newline || (gap.comma && steps > 0)) break;
    }
    if (letterAt.has(on) && !letterAt.get(on)!.lower) break;
    const word = words[on]!.text;
    if (wrongPredicates.has(word)) return !negation;
    if (rightPredicates.has(word)) return negation;
    if ((negators.has(word) && word !== 'no') || isFarFrom(words, on)) negation = true;
  }
  return negation;
}

/** "far from correct", "anything but right", "hardly the best". */
function isFarFrom(words: readonly Word[], at: number): boolean {
  const word = words[at]!.text;
  const next = words[at + 1]?.text;
  return (
    (word === 'far' && next === 'from') ||
    (word === 'anything' && next === 'but') ||
    (word === 'nowhere' && next === 'near') ||
    (word === 'least' && words[at - 1]?.text !== 'at') ||
    word === 'hardly' ||
    word === 'scarcely' ||
    word === 'barely'
  );
}

/** "A (not B)", "A (incorrect: B)": the aside rejects the letter that it names, not the one before it. */
function asideNamesAnother(text: string, words: readonly Word[], at: number, letterAt: ReadonlyMap<number, OptionLetter>): boolean {
  const next = words[at + 1];
  const mark = next === undefined ? '' : text[next.start - 1];
  if ((mark !== '(' && mark !== '[') || !/^[*_]*\s*[([]$/.test(text.slice(words[at]!.end, next!.start))) return false;
  for (let on = at + 1; on < words.length && on < at + 10; on++) {
    if (on > at + 1 && /[)\]]/.test(text.slice(words[on - 1]!.end, words[on]!.start))) return false;
    if (letterAt.get(on)?.lower === false) return true;
  }
  return false;
}
