// Reads the number that a reply gives as its answer: after ####, in a box, after the last cue, as the whole reply, or as the last number.
import { boxedContents } from './boxed.ts';
import { answerNouns, negators, optionNouns, rightAdjectives } from './cue-words.ts';
import { isDoubted } from './doubting-clauses.ts';
import type { NumberReading, Reading } from './extraction.ts';
import { unread } from './extraction.ts';
import { foldText } from './fold-text.ts';
import { answerOfJson } from './json-answer.ts';
import { scanNumberWords } from './number-words.ts';
import { formatRational, type Rational } from './rational.ts';
import { cutAtNextQuestion } from './run-on.ts';
import { type NumberToken, scanNumbers, tokenValue, wholeNumber } from './scan-numbers.ts';
import { gapBetween, splitWords, type Word } from './words.ts';

interface NumberContext {
  readonly text: string;
  readonly tokens: readonly NumberToken[];
  readonly words: readonly Word[];
  readonly reading: NumberReading;
  /** The output was cut at the token limit: what touches its end may be part of a longer number. */
  readonly truncated: boolean;
}

type NumberVerdict = { readonly value: Rational; readonly end?: number; readonly rule?: string } | 'ambiguous' | 'truncated';

export interface NumberRule {
  readonly name: string;
  readonly read: (context: NumberContext) => NumberVerdict | undefined;
}

/** In order; the first that decides wins. */
export const numberRules: readonly NumberRule[] = [
  { name: 'hash-marks', read: afterHashMarks },
  { name: 'json-key', read: jsonKey },
  { name: 'whole', read: whole },
  { name: 'answer-cue', read: lastCueOrBox },
  { name: 'number-word', read: onlyNumberWord },
  { name: 'last-number', read: lastNumber },
];

export function readNumber(answer: string, reading: NumberReading, truncated: boolean): Reading {
  const text = cutAtNextQuestion(foldText(answer));
  const context: NumberContext = { text, tokens: scanNumbers(text, reading), words: splitWords(text), reading, truncated };
  for (const rule of numberRules) {
    const verdict = rule.read(context);
    if (verdict === undefined) continue;
    if (verdict === 'ambiguous') return unread('ambiguous', 'several numbers are given as the answer');
    if (verdict === 'truncated') return unread('truncated', 'the output ends before or within its answer');
    if (truncated && verdict.end !== undefined && touchesEnd(text, verdict.end))
      return unread('truncated', 'the number touches the end of a cut output');
    return { value: formatRational(verdict.value), rule: verdict.rule ?? rule.name, reason: null };
  }
  return unread('unparseable', 'no number');
}

function touchesEnd(text: string, end: number): boolean {
  return /^[.,]?$/.test(text.slice(end, end + 3).trimEnd());
}

/** GSM8K's own form: the number after the first `####` of the first answer. */
function afterHashMarks({ text, tokens, reading }: NumberContext): NumberVerdict | undefined {
  for (let at = text.indexOf('####'), steps = 0; at >= 0 && steps < 200; at = text.indexOf('####', at + 4), steps++) {
    const lineEnd = text.indexOf('\n', at);
    const end = lineEnd < 0 ? text.length : lineEnd;
    const token = tokensBetween(tokens, at, end)[0];
    if (token !== undefined) return { value: tokenValue(token, reading), end: token.end };
  }
  return undefined;
}

function jsonKey({ text, reading }: NumberContext): NumberVerdict | undefined {
  const answer = answerOfJson(text);
  if (answer === undefined) return undefined;
  const value = wholeNumber(answer, reading);
  return value === null ? undefined : { value };
}

function whole({ text, tokens, reading }: NumberContext): NumberVerdict | undefined {
  if (tokens.length !== 1 || text.length > 200) return undefined;
  const value = isDenied(text, tokens[0]!) ? null : wholeNumber(text, reading);
  return value === null ? undefined : { value, end: tokens[0]!.end };
}

/** The last of all boxes and cues that holds a number. */
function lastCueOrBox(context: NumberContext): NumberVerdict | undefined {
  const cue = lastCue(context);
  const box = lastBox(context);
  if (box !== undefined && (cue === undefined || cue.position < box.position)) return box.verdict;
  return cue?.verdict;
}

function lastBox({ text, reading }: NumberContext): { readonly position: number; readonly verdict: NumberVerdict } | undefined {
  for (const box of boxedContents(text).reverse()) {
    const content = box.content
      .replace(/\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}/g, ' $1')
      .replace(/\\[,!; ]/g, '')
      .replace(/\{,\}/g, ',');
    const value = wholeNumber(content, reading) ?? (assignsSeveral(content) ? null : lastOfEquation(content, reading));
    if (value !== null) return { position: box.start, verdict: { value, rule: 'boxed' } };
    if (assignsSeveral(content) || listsNumbers(content, reading)) return { position: box.start, verdict: 'ambiguous' };
  }
  return undefined;
}

/** "5, 6" or "3 and 4" in a box: several numbers and nothing else. */
function listsNumbers(content: string, reading: NumberReading): boolean {
  if (content.length > 200) return false;
  const folded = foldText(content);
  const tokens = scanNumbers(folded, reading);
  const between =
    tokens.map((token, at) => folded.slice(tokens[at - 1]?.end ?? 0, token.start)).join('') + folded.slice(tokens.at(-1)?.end);
  return tokens.length > 1 && /^(?:[\s,;(){}$\\±]|and|or|left|right|text|pm)*$/.test(between);
}

function lastOfEquation(content: string, reading: NumberReading): Rational | null {
  const at = content.lastIndexOf('=');
  return at < 0 ? null : wholeNumber(content.slice(at + 1), reading);
}

const hanCue = /(?:答案|答え|正解|정답|답|คำตอบ)/u;
const totals = new Set([
  'total',
  'result',
  'sum',
  'summe',
  'ergebnis',
  'resultado',
  'risultato',
  'résultat',
  'resultaat',
  'wynik',
  'итого',
  'результат',
]);
const questioners = new Set(['if', 'whether']);

/** Cues without a number after which the search is given up. */
const maxCues = 40;

function lastCue(context: NumberContext): { readonly position: number; readonly verdict: NumberVerdict } | undefined {
  const { words, text } = context;
  for (let at = words.length - 1, tried = 0; at >= 0 && tried < maxCues; at--) {
    const word = words[at]!;
    const strong =
      answerNouns.has(word.text) ||
      (word.text.charCodeAt(0) > 0xe00 && hanCue.test(word.text)) ||
      isVietnamese(words, at) ||
      isFinal(words, at);
    const total = totals.has(word.text) || optionNouns.has(word.text);
    if (!strong && !total) continue;
    tried += 1;
    if (questioners.has(words[at - 1]?.text ?? '') || questioners.has(words[at - 2]?.text ?? '')) continue;
    const end = sentenceEnd(text, word.end);
    const verdict = readAfterCue(context, at, end, total && !strong);
    if (verdict !== undefined) return { position: word.start, verdict };
  }
  return undefined;
}

function isVietnamese(words: readonly Word[], at: number): boolean {
  return words[at]!.text === 'án' && words[at - 1]?.text === 'đáp';
}

function isFinal(words: readonly Word[], at: number): boolean {
  return rightAdjectives.has(words[at - 1]?.text ?? '') && optionNouns.has(words[at]!.text);
}

/** End of the sentence or line that starts at `from`; blank lines right after the cue are passed over. */
function sentenceEnd(text: string, from: number): number {
  let at = from;
  const last = Math.min(text.length, from + 800);
  while (at < last && /[\s:*_#>`-]/.test(text[at]!)) at += 1;
  for (; at < last; at++) {
    const char = text[at]!;
    if (char === '.' && /(?:\bi\.e|\be\.g|\bapprox|\bca|\bno)$/i.test(text.slice(Math.max(0, at - 8), at))) continue;
    if (char === '\n' || char === '。' || char === '！' || char === '？') return at;
    if (
      (char === '.' || char === '!' || char === '?') &&
      /^(?:\s|$|[*_"')])/.test(text.slice(at + 1, at + 2)) &&
      !/\d/.test(text[at - 1] ?? '')
    )
      return at;
    if (char === '.' && /\d/.test(text[at - 1] ?? '') && /^\s+[A-Z\p{Lu}]|^\s*$/u.test(text.slice(at + 1, at + 4))) return at;
  }
  return at;
}

/** The number that a cue's own sentence gives. */
function readAfterCue(context: NumberContext, noun: number, end: number, weak: boolean): NumberVerdict | undefined {
  const { text, tokens, words, reading } = context;
  const from = words[noun]!.end;
  const own = tokensBetween(tokens, from, end).filter((token) => !token.ordinal);
  const lead = text.slice(from, own[0]?.start ?? end);
  const gap = gapBetween(text, from, Math.min(words[noun + 1]?.start ?? end, own[0]?.start ?? end));
  if (
    !linkPattern.test(lead) &&
    !gap.link &&
    !gap.newline &&
    !/^[^\p{L}\p{N}]*[是为為は이은는]/u.test(lead) &&
    !/[是为為は은는이]$/u.test(words[noun]!.text)
  )
    return undefined;
  if (lead.length < 60 && splitWords(lead).some((word) => negators.has(word.text) && word.text !== 'no')) return undefined;
  if (own.length === 0) {
    if (weak) return undefined;
    const spelled = scanNumberWords(text.slice(from, end));
    return spelled.length === 1
      ? { value: spelled[0]!.value, rule: 'cue-number-word', ...(spelled[0]!.end + from === end ? {} : {}) }
      : undefined;
  }
  const first = own[0]!;
  if (isDenied(text, first)) return undefined;
  const equation = equationResult(context, first, end);
  if (equation !== undefined) return { value: tokenValue(equation, reading), end: equation.end };
  if (weak && !gap.link && lead.length > 30) return undefined;
  const direct = lead.length < 40 && directPattern.test(lead);
  if (own.length === 1) return { value: tokenValue(first, reading), end: first.end };
  if (direct && restates(text.slice(first.end, own[1]!.start))) return { value: tokenValue(own[1]!, reading), end: own[1]!.end };
  if (direct && joinsAnother(first, own[1]!, text)) return 'ambiguous';
  if (direct) return { value: tokenValue(first, reading), end: first.end };
  const last = own.at(-1)!;
  return { value: tokenValue(last, reading), end: last.end };
}

/** Tokens are in order: the first at or after `from` is found by halving. */
function tokensBetween(tokens: readonly NumberToken[], from: number, end: number): NumberToken[] {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle]!.start < from) low = middle + 1;
    else high = middle;
  }
  const found: NumberToken[] = [];
  for (let at = low; at < tokens.length && tokens[at]!.start < end; at++) found.push(tokens[at]!);
  return found;
}

const linkPattern =
  /[:=]|\b(?:is|are|was|be|would|therefore|thus|ist|est|es|è|é|jest|to|är|er|on|là|equals|of|comes|turns|becomes)\b|(?:это|είναι|है|هو|هي|[–—-] )/u;
/** Between cue and number only words that point at it. */
const directPattern =
  /^[\s\p{P}\p{S}]*(?:(?:to|for|between|from|either|this|the|question|problem|is|are|was|be|will|would|should|must|therefore|thus|so|hence|about|approximately|approx|roughly|around|exactly|just|only|simply|equal|equals|x|y|n|ist|est|es|è|é|de|la|el|jest|also|also|là|boxed|text|mathbf|usd|eur|rs|us|final|answer|correct|total|a|of|it|s|at|now)[\s\p{P}\p{S}]*)*$/iu;

/** "20% off, i.e. $16": the second number says what the first comes to. */
function restates(between: string): boolean {
  return /\b(?:i\.e\.|that is|in other words|namely|which (?:is|equals|means|makes|comes to))[^\d]{0,20}$/i.test(between);
}

/** "10 - 5 = 5": the number after the last equals sign of the sentence. */
function equationResult({ text, tokens }: NumberContext, first: NumberToken, end: number): NumberToken | undefined {
  const at = text.lastIndexOf('=', end - 1);
  if (at < first.start) return undefined;
  const token = tokensBetween(tokens, at + 1, end)[0];
  return token !== undefined && /^[\s$\\({*£€≈~-]*(?:boxed|text)?[\s${(]*$/.test(text.slice(at + 1, token.start)) ? token : undefined;
}

/** "10-15", "5 or 6", "2 hours and 30 minutes": no single number. */
function joinsAnother(first: NumberToken, second: NumberToken, text: string): boolean {
  const between = text.slice(first.end, second.start);
  return (
    /^\s*(?:-|–|—|to|or|and|~|bis|oder|ou|o|y|und|et|[,;/])\s*[$€£]?\s*$/i.test(between) ||
    /^\s*\p{L}{1,12}(?:\s*,)?\s+(?:and|or|to|und|oder|et|ou|y|e|o)\s+$/iu.test(between)
  );
}

/** No digits at all and one number word: "She has twelve apples." "one" alone is a pronoun too, so it needs a cue. */
function onlyNumberWord({ text, tokens, truncated }: NumberContext): NumberVerdict | undefined {
  if (tokens.length > 0 || truncated || text.length > 300) return undefined;
  const spelled = scanNumberWords(text);
  if (spelled.length !== 1) return undefined;
  const word = text.slice(spelled[0]!.start, spelled[0]!.end).toLowerCase();
  const alone = /^[\s*_.!"']*$/.test(text.slice(0, spelled[0]!.start) + text.slice(spelled[0]!.end));
  if (!alone && (word === 'one' || /\b(?:no|not|never|cannot|can't|don't|maybe|or)\b/i.test(text))) return undefined;
  return { value: spelled[0]!.value };
}

/** The last number of a complete reply; in a cut reply it is only a step on the way. */
function lastNumber({ text, tokens, reading, truncated }: NumberContext): NumberVerdict | undefined {
  if (truncated) return 'truncated';
  if (assignsSeveral(text)) return 'ambiguous';
  for (let at = tokens.length - 1; at >= 0; at--) {
    const token = tokens[at]!;
    if (token.ordinal || isListMarker(text, token) || namesStep(text, token) || isDenied(text, token)) continue;
    return { value: tokenValue(token, reading), end: token.end };
  }
  return undefined;
}

/** "not 5", "5 is wrong", "I don't think it is 5": the number that a reply says is not its answer. */
function isDenied(text: string, { start, end }: NumberToken): boolean {
  return denial.test(text.slice(Math.max(0, start - 50), start)) || calledWrong.test(text.slice(end, end + 50)) || isDoubted(text, start);
}

const calledWrong =
  /^["'*_$\s]*(?:(?:is|was|would be) (?:[a-z]+ly )?(?:not (?:the )?(?:answer|correct|right|result)|wrong|incorrect|false)|(?:is|was)n't (?:the )?(?:answer|correct|right|result))\b/i;

const denial =
  /(?:\bnot|n't|\bnever|\bcannot|\bneither|\bnor|\brather than|\binstead of|\bother than)(?: (?:be|equal|to|equal to|really|actually|the number|the answer|simply|exactly|necessarily|a|an))*[\s"'*_$£€(]*$/i;

/** "x = 3, y = 4" as the last line: no one number is the answer. */
function assignsSeveral(text: string): boolean {
  const tail = text.slice(-200).trimEnd();
  const line = tail.slice(tail.lastIndexOf('\n') + 1);
  const names = [...line.matchAll(/(?:^|,\s*|\band\s+|\$)([a-zA-Z])\s*=\s*[-$]?\d/g)].map((match) => match[1]);
  return new Set(names).size > 1;
}

/** `2.` or `2)` at the start of a line that goes on. */
function isListMarker(text: string, token: NumberToken): boolean {
  const lineStart = token.start === 0 || /\n[ \t*#-]{0,6}$/.test(text.slice(Math.max(0, token.start - 7), token.start));
  return lineStart && /^[.)] +\S/.test(text.slice(token.end, token.end + 8));
}

function namesStep(text: string, token: NumberToken): boolean {
  return /(?:^|[^\p{L}])(?:step|question|problem|equation|eq\.|figure|table|part|schritt|frage|étape|paso|pregunta)\s?\(?$/iu.test(
    text.slice(Math.max(0, token.start - 12), token.start),
  );
}
