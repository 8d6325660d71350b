// Finds the numbers of a text as a person reads them: groups, currency, percent, fractions, powers, scale words; no nested patterns.

import type { NumberReading } from './extraction.ts';
import { foldText, isDigit } from './fold-text.ts';
import { isFraction, latexFraction, rootAt } from './latex-number.ts';
import { scaleAfter } from './number-scale.ts';
import { signBefore } from './number-sign.ts';
import { add, divide, fromDecimal, multiply, negate, power, type Rational, rational } from './rational.ts';
import { wordClass } from './words.ts';

export interface NumberToken {
  readonly start: number;
  readonly end: number;
  readonly value: Rational;
  readonly percent: boolean;
  readonly currency: boolean;
  /** A place in a row (`3rd`), a clock time or list marker: no quantity. */
  readonly ordinal: boolean;
}

/** All numbers in folded text (`foldText` first), in order. */
export function scanNumbers(text: string, reading: NumberReading = {}): NumberToken[] {
  const tokens: NumberToken[] = [];
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === 92 && isFraction(text, at)) {
      const token = readFraction(text, at);
      if (token !== undefined) {
        if ('value' in token) tokens.push(token);
        at = token.end;
        continue;
      }
    }
    if (code === 8730 || (code === 92 && text.startsWith('\\sqrt', at))) {
      at = readRoot(text, at, tokens);
      continue;
    }
    if (code === 40 && isDigit(text.charCodeAt(at + 1)) && text.startsWith('sqrt(', at - 4)) {
      at = readRoot(text, at - 4, tokens);
      continue;
    }
    const digit = isDigit(code);
    if (!digit && !(code === 46 && isDigit(text.charCodeAt(at + 1)) && startsBare(text, at))) {
      at += 1;
      continue;
    }
    const end = at;
    if (digit && (isGlued(text, at) || isUnitPower(text, at))) {
      at = endOfName(text, at);
      continue;
    }
    const token = readNumber(text, end, reading);
    if (token === undefined) at = endOfRun(text, at);
    else {
      if ('value' in token) tokens.push(token);
      at = token.end;
    }
  }
  return tokens;
}

/** `.5` after a space, sign, bracket or currency, never after a digit or letter. */
function startsBare(text: string, at: number): boolean {
  return at === 0 || ' \n\t(=:$€£-+*_'.includes(text[at - 1]!);
}

function endOfRun(text: string, from: number): number {
  let at = from;
  while (at < text.length && (wordClass(text.charCodeAt(at)) === 1 || text[at] === '_')) at += 1;
  return Math.max(at, from + 1);
}

/** A name goes on over dotted numbers: `v1.2.3`, `PM2.5`. */
function endOfName(text: string, from: number): number {
  let at = endOfRun(text, from);
  while (text[at] === '.' && isDigit(text.charCodeAt(at + 1))) at = endOfRun(text, at + 1);
  return at;
}

/** The power of a unit or variable is no quantity: `5 cm^2`, `\text{m}^{3}`, `x^2`. */
function isUnitPower(text: string, at: number): boolean {
  let back = at - 1;
  if (text[back] === '-') back -= 1;
  if (text[back] === '{') back -= 1;
  return text[back] === '^' && back > 0 && (text[back - 1] === '}' || wordClass(text.charCodeAt(back - 1)) === 1);
}

/** A root with the number before it: `3\sqrt{16}` is 12; where the root is no whole number, neither is a number. Returns the end. */
function readRoot(text: string, at: number, tokens: NumberToken[]): number {
  const { end, root } = rootAt(text, at);
  const before = tokens.at(-1);
  const factor = before !== undefined && before.end <= at && /^[ *·]{0,2}$/.test(text.slice(before.end, at)) ? tokens.pop() : undefined;
  if (root === null) return end;
  const value = rational(root)!;
  if (factor !== undefined) tokens.push({ ...factor, end, value: multiply(factor.value, value) });
  else {
    const { start, negative, currency } = signBefore(text, at);
    tokens.push({ start, end, value: negative ? negate(value) : value, percent: false, currency, ordinal: false });
  }
  return end;
}

/** Part of a name: `H2O`, `x_2`, `0x10` is caught by its letters. */
function isGlued(text: string, at: number): boolean {
  if (at === 0) return false;
  const before = text.charCodeAt(at - 1);
  if (text[at - 1] === '_') return at > 1 && wordClass(text.charCodeAt(at - 2)) === 1;
  return wordClass(before) === 1 && !isDigit(before) && !isCurrencyWord(text, at);
}

function isCurrencyWord(text: string, at: number): boolean {
  return /(?:^|[^\p{L}])(?:USD|EUR|GBP|INR|Rs|US|R|CHF)$/u.test(text.slice(Math.max(0, at - 5), at));
}

type Skip = { readonly end: number };

function readNumber(text: string, start: number, reading: NumberReading): NumberToken | Skip | undefined {
  const sign = signBefore(text, start);
  const digits = readDigits(text, start, reading, sign.currency || start === 0);
  if (digits === undefined) return undefined;
  if ('skip' in digits) return { end: digits.skip };
  let { end } = digits;
  let value = fromDecimal(digits.integer, digits.fraction);
  if (value === null) return { end };
  const exponent = readExponent(text, end);
  if (exponent !== undefined) {
    const scale = power(rational(10n)!, exponent.value);
    if (scale === null) return { end: exponent.end };
    value = multiply(value, scale);
    end = exponent.end;
  }
  const after = readTail(text, end, value, digits.fraction === '' && exponent === undefined, sign.currency);
  if (after === undefined) return { end: endOfRun(text, end) };
  if (after.value === null) return { end: after.end };
  return {
    start: sign.start,
    end: after.end,
    value: sign.negative ? negate(after.value) : after.value,
    percent: after.percent,
    currency: sign.currency,
    ordinal: after.ordinal,
  };
}

interface Digits {
  readonly integer: string;
  readonly fraction: string;
  readonly end: number;
}

/** Groups and decimals. `skip` for chains that are no number: versions, dates, clock times. */
function readDigits(
  text: string,
  start: number,
  reading: NumberReading,
  spaceGroups: boolean,
): Digits | { readonly skip: number } | undefined {
  let end = start;
  while (isDigit(text.charCodeAt(end))) end += 1;
  const decimal = reading.decimal ?? '.';
  const group = decimal === '.' ? ',' : '.';
  const first = text.slice(start, end);
  const parts = [{ mark: '', digits: first }];
  let at = end;
  while (".,'_ ".includes(text[at] ?? '\n') && isDigit(text.charCodeAt(at + 1)) && parts.length < 24) {
    const mark = text[at]!;
    let stop = at + 1;
    while (isDigit(text.charCodeAt(stop))) stop += 1;
    if (
      mark === ' ' &&
      !(
        stop - at === 4 &&
        first.length <= 3 &&
        first !== '0' &&
        parts.every((part) => part.mark === '' || part.mark === ' ') &&
        (spaceGroups || groupsAgain(text, stop) || parts.length > 1)
      )
    )
      break;
    parts.push({ mark, digits: text.slice(at + 1, stop) });
    at = stop;
  }
  if (parts.length >= 24) return { skip: endOfChain(text, at) };
  if (text[at] === '-' && parts.length === 1 && isDigit(text.charCodeAt(at + 1))) {
    const date = datePattern.exec(text.slice(start, start + 12));
    if (date !== null) return { skip: start + date[0].length };
  }
  if (text[at] === ':' && isDigit(text.charCodeAt(at + 1)) && parts.length === 1) return { skip: chainEnd(text, at) };
  return joinGroups(parts, at, end, decimal, group, reading.decimal !== undefined);
}

/** `2024-05-01`, `01-05-2024`: a day of the calendar is no number. */
const datePattern = /^(?:\d{4}-(?:0?[1-9]|1[0-2])-\d{1,2}|\d{1,2}-\d{1,2}-\d{4})(?![\d-])/;

/** A row of two dozen joined digit runs is a list or noise, no number. */
function endOfChain(text: string, from: number): number {
  let at = from;
  while (at < text.length && (isDigit(text.charCodeAt(at)) || ".,'_".includes(text[at]!))) at += 1;
  return at;
}

function groupsAgain(text: string, at: number): boolean {
  return text[at] === ' ' && /^\d{3}(?!\d)/.test(text.slice(at + 1, at + 5));
}

function chainEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && (isDigit(text.charCodeAt(at)) || text[at] === ':' || text[at] === '.')) at += 1;
  return at;
}

type Part = { readonly mark: string; readonly digits: string };

function joinGroups(
  parts: readonly Part[],
  end: number,
  firstEnd: number,
  decimal: string,
  group: string,
  declared: boolean,
): Digits | { readonly skip: number } {
  const first = parts[0]!.digits;
  if (parts.length === 1) return { integer: first, fraction: '', end: firstEnd };
  const last = parts.at(-1)!;
  const inner = parts.slice(1, -1);
  const triples = (list: readonly Part[], mark: string): boolean => first.length <= 3 && first !== '0' && isGroups(list, mark);
  const all = parts.slice(1);
  const mark = all[0]!.mark;
  if (first[0] !== '0' && mark !== decimal && triples(all, mark))
    return { integer: first + all.map((part) => part.digits).join(''), fraction: '', end };
  if (parts.length > 2 && triples(all, mark)) return { integer: first + all.map((part) => part.digits).join(''), fraction: '', end };
  const marks = '.,'.includes(last.mark);
  if (marks && inner.length > 0 && inner[0]!.mark !== last.mark && triples(inner, inner[0]!.mark)) {
    return { integer: first + inner.map((part) => part.digits).join(''), fraction: last.digits, end };
  }
  if (parts.length === 2 && last.mark === decimal) return { integer: first, fraction: last.digits, end };
  if (
    parts.length === 2 &&
    last.mark === group &&
    !declared &&
    (group === '.' || last.digits.length !== 3 || first[0] === '0') &&
    !/^0{4,}$/.test(last.digits) &&
    last.digits.length <= 6 &&
    first.length <= 6
  ) {
    return { integer: first, fraction: last.digits, end };
  }
  if (parts.length === 2 && last.mark === group && /^0{4,}$/.test(last.digits)) return { skip: end };
  if (parts.every((part) => part.mark === '' || part.mark === ',')) return { integer: first, fraction: '', end: firstEnd };
  return { skip: end };
}

/** All of one mark and three digits each, or the Indian order: twos, then three. */
function isGroups(parts: readonly Part[], mark: string): boolean {
  if (parts.length === 0 || !parts.every((part) => part.mark === mark)) return false;
  if (parts.at(-1)!.digits.length !== 3) return false;
  const inner = parts.slice(0, -1);
  return inner.every((part) => part.digits.length === 3) || (mark === ',' && inner.every((part) => part.digits.length === 2));
}

/** `e3`, `E-4`, `×10^3`, `x 10^{-4}`, `\times 10^3`. */
function readExponent(text: string, end: number): { readonly value: number; readonly end: number } | undefined {
  const tail = text.slice(end, end + 28);
  const match = /^[eE]([+-]?\d{1,4})(?![\p{L}\d])/u.exec(tail) ?? /^ ?(?:×|x|\*|·|\\times|\\cdot) ?10\^\{?([+-]?\d{1,4})\}?/.exec(tail);
  return match === null ? undefined : { value: Number(match[1]), end: end + match[0].length };
}

interface Tail {
  readonly value: Rational | null;
  readonly end: number;
  readonly percent: boolean;
  readonly ordinal: boolean;
}

/** What follows the digits: a power, a fraction, a mixed number, percent, a scale word, an ordinal ending. undefined: a name. */
function readTail(text: string, end: number, value: Rational, whole: boolean, currency: boolean): Tail | undefined {
  const plain: Tail = { value, end, percent: false, ordinal: false };
  const char = text[end];
  if (char === undefined || char === '\n') return plain;
  if (char === '^') return readPower(text, end, value);
  if (whole && char === '/' && isDigit(text.charCodeAt(end + 1))) return readSlash(text, end, value);
  if (whole && char === ' ' && isDigit(text.charCodeAt(end + 1))) return readMixed(text, end, value) ?? plain;
  if (whole && char === '\\' && isFraction(text, end)) return readLatexMixed(text, end, value) ?? plain;
  const tail = text.slice(end, end + 16);
  const percent = /^ ?(?:\\?%|percent\b|per cent\b|pct\b)/i.exec(tail);
  if (percent !== null) return { ...plain, percent: true, end: end + percent[0].length };
  const scale = scaleAfter(text, end, currency);
  if (scale !== undefined) return { ...plain, value: multiply(value, rational(scale.factor)!), end: scale.end };
  if (/^(?:st|nd|rd|th)\b/.test(tail)) return { ...plain, ordinal: true, end: end + 2 };
  if (/^[xX][0-9a-fA-F]/.test(tail) && text[end - 1] === '0') return undefined;
  return plain;
}

function readPower(text: string, end: number, value: Rational): Tail {
  const match = /^\^\{?([+-]?\d{1,4})\}?(?!\d)/.exec(text.slice(end, end + 10));
  if (match === null) return { value, end, percent: false, ordinal: false };
  return { value: power(value, Number(match[1])), end: end + match[0].length, percent: false, ordinal: false };
}

/** `3/4`; a chain such as `12/05/2024` is a date and no number; a zero denominator is no number. */
function readSlash(text: string, end: number, value: Rational): Tail | undefined {
  let stop = end + 1;
  while (isDigit(text.charCodeAt(stop))) stop += 1;
  if (text[stop] === '/' && isDigit(text.charCodeAt(stop + 1)))
    return { value: null, end: chainOf(text, stop), percent: false, ordinal: false };
  const denominator = fromDecimal(text.slice(end + 1, stop));
  return { value: denominator === null ? null : divide(value, denominator), end: stop, percent: false, ordinal: false };
}

function chainOf(text: string, from: number): number {
  let at = from;
  while (text[at] === '/' || isDigit(text.charCodeAt(at))) at += 1;
  return at;
}

function readMixed(text: string, end: number, value: Rational): Tail | undefined {
  const match = /^ (\d{1,4})\/(\d{1,4})(?![\d/])/.exec(text.slice(end, end + 12));
  if (match === null) return undefined;
  const part = rational(BigInt(match[1]!), BigInt(match[2]!));
  if (part === null || part.numerator >= part.denominator || part.numerator === 0n) return undefined;
  return { value: add(value, part), end: end + match[0].length, percent: false, ordinal: false };
}

function readLatexMixed(text: string, end: number, value: Rational): Tail | undefined {
  const part = latexFraction(text, end);
  if (part?.value == null || part.value.numerator >= part.value.denominator || part.value.numerator <= 0n) return undefined;
  return { value: add(value, part.value), end: part.end, percent: false, ordinal: false };
}

function readFraction(text: string, at: number): NumberToken | Skip | undefined {
  const part = latexFraction(text, at);
  if (part === undefined) return undefined;
  if (part.value === null) return { end: part.end };
  const sign = signBefore(text, at);
  return {
    start: sign.start,
    end: part.end,
    value: sign.negative ? negate(part.value) : part.value,
    percent: false,
    currency: sign.currency,
    ordinal: false,
  };
}

/** The value of a token under a reading: percent as written unless asked otherwise. */
export function tokenValue(token: NumberToken, reading: NumberReading = {}): Rational {
  return token.percent && reading.percentAsFraction === true ? multiply(token.value, rational(1n, 100n)!) : token.value;
}

/** The only number of a text that is nothing but that number with currency, unit or markup around it; else null. */
export function wholeNumber(raw: string, reading: NumberReading = {}): Rational | null {
  const text = foldText(raw).trim();
  if (text.length > 4000) return null;
  const tokens = scanNumbers(text, reading);
  if (tokens.length !== 1) return null;
  const token = tokens[0]!;
  const before = text.slice(0, token.start).replace(/\\(?:text|mathrm|boxed|left|,|!|;|\()/g, '');
  const after = text
    .slice(token.end)
    .replace(/(?<=[\p{L}}])\^\{?-?\d{1,2}\}?/gu, '')
    .replace(/\\(?:text|mathrm|right|,|!|;|\)|%)/g, '');
  if (/\d/.test(before + after)) return null;
  if (!/^[\s*_`"'($€£¥₹₩{[≈~#=+-]*(?:USD|EUR|GBP|US|Rs\.?|approximately|about|x =|x=)?[\s$€£{]*$/i.test(before)) return null;
  return /^[\s*_`"')}$€£¥₹₩\].,!°]*(?:\p{L}{1,14}[\s./^*_·}]*){0,3}[\s*_`"')}$\].,!]*$/u.test(after) ? tokenValue(token, reading) : null;
}
