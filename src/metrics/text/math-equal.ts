// Are two mathematical answers the same? Common forms of school and competition answers, in LaTeX or plain text; no computer algebra.
import { evaluateExpression } from './math-expression.ts';
import { parseNumber } from './number-text.ts';

/** Text of an answer without what does not change its meaning: delimiters, spacing commands, units in \text, boxed. */
export function simplifyMath(text: string): string {
  let plain = text
    .normalize('NFKC')
    .replace(/[\u2212\u2010\u2011]/g, '-')
    .replace(/[\u200b-\u200d\ufeff]/g, '')
    .trim();
  plain = plain.replace(/^\$+|\$+$/g, '').replace(/^\\[([]|\\[)\]]$/g, '');
  plain = unwrapBoxed(plain)
    .replace(/\\(?:left|right|displaystyle|limits|!|,|;|:|quad|qquad)(?![a-zA-Z])/g, '')
    .replace(/\\[ ~]|~/g, ' ')
    .replace(/\\[dtc]frac/g, '\\frac')
    .replace(/\^\s*(?:\{\s*\\circ\s*\}|\\circ)|°/g, '')
    .replace(/\\(?:%|\$)|(?<![\d.])\\\$/g, '')
    .replace(/\\(?:text|mathrm|mbox|textbf)\s*\{([^{}]*)\}/g, (_, inner: string, at: number) =>
      at === 0 ? inner : `\u0001${inner}\u0001`,
    );
  plain = plain.replace(/\s*\u0001\s*(?:[^\u0001]*)\u0001\s*$/g, '').replace(/\u0001/g, ' ');
  plain = plain.replace(/\\frac\s*(\d)\s*(\d)/g, '\\frac{$1}{$2}').replace(/\\sqrt\s*(\d+|[a-z])/gi, '\\sqrt{$1}');
  return plain
    .replace(/^\s*[a-zA-Z]\s*(?:=|\\in)\s*/, '')
    .replace(/[.,;]+\s*$/, '')
    .trim();
}

function unwrapBoxed(text: string): string {
  const at = text.lastIndexOf('\\boxed');
  if (at < 0) return text;
  const open = text.indexOf('{', at);
  if (open < 0) return text.slice(at + 6);
  let depth = 0;
  for (let index = open; index < text.length; index++) {
    if (text[index] === '{') depth++;
    else if (text[index] === '}' && --depth === 0) return text.slice(open + 1, index);
  }
  return text.slice(open + 1);
}

/** Longer texts are no answers; they are compared as they are. */
const longestAnswer = 2000;

const pairs: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

interface Sequence {
  readonly open: string;
  readonly close: string;
  readonly items: readonly string[];
}

/** A tuple, interval or set: bracketed, with at least one top-level comma. */
function readSequence(text: string): Sequence | null {
  const plain = text.replace(/\\\{/g, '{').replace(/\\\}/g, '}');
  const open = plain[0] ?? '';
  const close = plain.at(-1) ?? '';
  const isBracketed = pairs[open] !== undefined && Object.values(pairs).includes(close);
  const items = splitTopLevel(isBracketed ? plain.slice(1, -1) : plain);
  if (isBracketed && items.length > 1) return { open, close, items };
  return !isBracketed && items.length > 1 ? { open: '', close: '', items } : null;
}

function splitTopLevel(text: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < text.length; index++) {
    const character = text[index]!;
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) depth--;
    else if (character === ',' && depth === 0 && !/^\d{3}(?!\d)/.test(text.slice(index + 1))) {
      items.push(text.slice(start, index).trim());
      start = index + 1;
    }
  }
  return [...items, text.slice(start).trim()];
}

function numericValue(text: string): number | null {
  return evaluateExpression(text) ?? parseNumber(text);
}

function close(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b));
}

function bare(text: string): string {
  return text
    .replace(/\s+/g, '')
    .replace(/\\cdot|\\times|\*/g, '')
    .replace(/\{(\w)\}/g, '$1')
    .toLowerCase();
}

/**
 * True where both state the same number, expression text, tuple, interval or set (sets in any order).
 * False where equality cannot be shown: `x+1` and `1+x` count as different unless both are numbers.
 */
export function mathEqual(prediction: string, reference: string): boolean {
  if (prediction.length > longestAnswer || reference.length > longestAnswer) return prediction.trim() === reference.trim();
  const left = simplifyMath(prediction);
  const right = simplifyMath(reference);
  if (left === right) return left !== '' || prediction.trim() === reference.trim();
  const a = numericValue(left);
  const b = numericValue(right);
  if (a !== null && b !== null) return close(a, b);
  const listA = readSequence(left);
  const listB = readSequence(right);
  if (listA !== null && listB !== null) return sameSequence(listA, listB);
  if (listA !== null || listB !== null) return false;
  return left !== '' && right !== '' && bare(left) === bare(right);
}

function sameSequence(a: Sequence, b: Sequence): boolean {
  if (a.open !== b.open || a.close !== b.close || a.items.length !== b.items.length) return false;
  const isOrdered = a.open === '(' || a.open === '[';
  if (isOrdered) return a.items.every((item, index) => mathEqual(item, b.items[index]!));
  const left = [...b.items];
  return a.items.every((item) => {
    const at = left.findIndex((other) => mathEqual(item, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}
