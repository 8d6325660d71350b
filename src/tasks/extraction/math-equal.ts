// Are two mathematical answers the same? Numbers exactly, closed forms to 1e-9, sets in any order, intervals with their brackets.
import { caseFold } from './fold-text.ts';
import { parseExpression, type Term } from './math-expression.ts';
import { mathText } from './math-text.ts';
import { equals, toNumber } from './rational.ts';

/**
 * Equal in value and form: `\frac12` and `0.5`, `2\sqrt{3}` and `\sqrt{12}`, `\{1,2\}` and `{2, 1}`, `[0,1)` but not `[0,1]`,
 * `50\%` and `50`, `90^\circ` and `90`, `x=5` and `5`. Polynomials are equal up to the order of terms and factors, not by expansion.
 */
export function mathEqual(prediction: string, gold: string): boolean {
  const left = mathText(prediction);
  const right = mathText(gold);
  if (left === '' || right === '') return false;
  return left === right || same(left, right, 0);
}

function same(left: string, right: string, depth: number): boolean {
  if (left === right) return true;
  if (depth > 8 || left.length > 2000 || right.length > 2000) return false;
  return sameStructure(left, right, depth) ?? (sameRelation(left, right, depth) || sameTerm(left, right) || sameWords(left, right));
}

/** Matrices, unions, sets, tuples, intervals, lists and ±; null where neither side is one. */
function sameStructure(left: string, right: string, depth: number): boolean | null {
  if (left.includes('\\begin{') || right.includes('\\begin{')) return sameMatrix(left, right, depth);
  if (left.includes('±') || right.includes('±')) return samePlusMinus(left, right, depth);
  const unions = [splitTop(left, 'U'), splitTop(right, 'U')] as const;
  if (unions[0].length > 1 || unions[1].length > 1) return sameElements(unions[0], unions[1], false, depth);
  const a = bracketed(left);
  const b = bracketed(right);
  if (a !== undefined && b !== undefined) {
    if (a.open !== b.open || a.close !== b.close) return a.items.length > 1 && b.items.length > 1 ? false : null;
    if (a.items.length === 1 && b.items.length === 1) return a.open === '\\{' ? same(a.items[0]!, b.items[0]!, depth + 1) : null;
    return sameElements(a.items, b.items, a.open !== '\\{', depth);
  }
  if ((a !== undefined && a.items.length > 1) || (b !== undefined && b.items.length > 1)) {
    const set = a?.open === '\\{' ? a : b?.open === '\\{' ? b : undefined;
    return set === undefined ? false : sameElements(set.items, splitTop(set === a ? right : left, ','), false, depth);
  }
  const lists = [splitList(left), splitList(right)] as const;
  return lists[0].length > 1 || lists[1].length > 1 ? sameElements(lists[0], lists[1], false, depth) : null;
}

interface Bracketed {
  readonly open: string;
  readonly close: string;
  readonly items: readonly string[];
}

function bracketed(text: string): Bracketed | undefined {
  const set = text.startsWith('\\{') && text.endsWith('\\}');
  if (!set && !(/^[([{]/.test(text) && /[)\]}]$/.test(text))) return undefined;
  const open = set || text[0] === '{' ? '\\{' : text[0]!;
  const close = set || text.endsWith('}') ? '\\}' : text.at(-1)!;
  const inner = set ? text.slice(2, -2) : text.slice(1, -1);
  if (!balanced(inner)) return undefined;
  return { open, close, items: splitTop(inner, ',') };
}

function balanced(text: string): boolean {
  let depth = 0;
  for (const char of text) {
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char) && --depth < 0) return false;
  }
  return depth === 0;
}

function splitTop(text: string, mark: string): string[] {
  const items: string[] = [];
  let depth = 0;
  let start = 0;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if ('([{'.includes(char)) depth += 1;
    else if (')]}'.includes(char)) depth -= 1;
    else if (char === mark && depth === 0 && (mark !== 'U' || /[)\]}]/.test(text[at - 1] ?? ''))) {
      items.push(text.slice(start, at));
      start = at + 1;
    }
  }
  items.push(text.slice(start));
  return items;
}

/** Items between commas or "and"; a thousands comma separates nothing. */
function splitList(text: string): string[] {
  if (/^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)) return [text];
  return splitTop(text.replace(/(?<=[\d)}])(?:,?and|,?or)(?=[-\d\\(])/g, ','), ',').filter((item) => item !== '');
}

function sameElements(left: readonly string[], right: readonly string[], ordered: boolean, depth: number): boolean {
  if (left.length !== right.length || left.length > 60) return false;
  if (ordered) return left.every((item, at) => same(strip(item), strip(right[at]!), depth + 1));
  const rest = [...right];
  return left.every((item) => {
    const at = rest.findIndex((other) => same(strip(item), strip(other), depth + 1));
    if (at < 0) return false;
    rest.splice(at, 1);
    return true;
  });
}

/** `x=2` inside a list is `2`. */
function strip(item: string): string {
  return item.replace(/^[a-zA-Z](?:_\{?\w\}?)?=(?=[^=])/, '');
}

function samePlusMinus(left: string, right: string, depth: number): boolean {
  const both = (text: string): string[] =>
    text.includes('±') ? [text.replaceAll('±', '+'), text.replaceAll('±', '-')].map((one) => one.replace(/^\+/, '')) : splitList(text);
  return sameElements(both(left), both(right), false, depth);
}

function sameMatrix(left: string, right: string, depth: number): boolean {
  const cells = (text: string): string[][] | undefined => {
    const match = /^\\begin\{([bpvBV]?matrix|array)\}(?:\{[lcr|]*\})?(.*)\\end\{\1\}$/.exec(text);
    return match === null
      ? undefined
      : match[2]!
          .split(/\\\\/)
          .filter((row) => row !== '')
          .map((row) => row.split('&'));
  };
  const a = cells(left);
  const b = cells(right);
  return a !== undefined && b !== undefined && a.length === b.length && a.every((row, at) => sameElements(row, b[at]!, true, depth));
}

const relation = /(<=|>=|!=|<|>|=)/;
const mirrored: Readonly<Record<string, string>> = { '<': '>', '>': '<', '<=': '>=', '>=': '<=', '=': '=', '!=': '!=' };

/** `x>=3` and `3<=x`; an equation against its right side only. */
function sameRelation(left: string, right: string, depth: number): boolean {
  const a = left.split(relation);
  const b = right.split(relation);
  if (a.length === 1 || a.length !== b.length) return false;
  const straight = a.every((part, at) => (at % 2 === 1 ? part === b[at] : same(part, b[at]!, depth + 1)));
  const back = [...b].reverse();
  return straight || a.every((part, at) => (at % 2 === 1 ? part === mirrored[back[at]!] : same(part, back[at]!, depth + 1)));
}

function sameTerm(left: string, right: string): boolean {
  const a = parseExpression(left);
  const b = a === null ? null : parseExpression(right);
  return a !== null && b !== null && equalTerms(a, b);
}

function equalTerms(a: Term, b: Term): boolean {
  if (a.kind === 'exact' && b.kind === 'exact') return equals(a.value, b.value);
  if (a.kind === 'symbolic' || b.kind === 'symbolic')
    return a.kind === b.kind && (a as { text: string }).text === (b as { text: string }).text;
  if (a.kind === 'exact' || b.kind === 'exact') return closeExact(a, b);
  return close(a.value, b.value);
}

/** A decimal is no closed form: 1.41 is not the root of 2; only a rounding error of doubles is let through. */
function closeExact(a: Term, b: Term): boolean {
  const x = a.kind === 'exact' ? toNumber(a.value) : (a as { value: number }).value;
  const y = b.kind === 'exact' ? toNumber(b.value) : (b as { value: number }).value;
  return close(x, y);
}

function close(x: number, y: number): boolean {
  return x === y || Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x), Math.abs(y));
}

/** Answers in words: "Monday", `\text{even}`. Variables keep their case. */
function sameWords(left: string, right: string): boolean {
  return /^\p{L}{2,}[\p{L}\p{P}]*$/u.test(left) && caseFold(left) === caseFold(right);
}
