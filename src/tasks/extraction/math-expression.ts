// Parses a mathematical expression in `mathText` spelling into a canonical term, exact where it is rational.
import { closingBrace } from './boxed.ts';
import { add, divide, formatRational, fromDecimal, multiply, negate, power, type Rational, rational, toNumber } from './rational.ts';

/** `exact`: a rational. `real`: a closed form, as a double. `symbolic`: canonical text of an expression with variables. */
export type Term =
  | { readonly kind: 'exact'; readonly value: Rational }
  | { readonly kind: 'real'; readonly value: number }
  | { readonly kind: 'symbolic'; readonly text: string };

const one: Term = { kind: 'exact', value: { numerator: 1n, denominator: 1n } };
const functions = ['sqrt', 'ln', 'log', 'sin', 'cos', 'tan', 'exp', 'arcsin', 'arccos', 'arctan', 'sec', 'csc', 'cot'];
const maxDepth = 60;

class NotParsed extends Error {}

interface State {
  readonly text: string;
  at: number;
  depth: number;
}

/** null where the text is no expression. */
export function parseExpression(text: string): Term | null {
  if (text === '' || text.length > 1000) return null;
  const state: State = { text, at: 0, depth: 0 };
  try {
    const term = sum(state);
    return state.at === text.length ? term : null;
  } catch (error) {
    if (error instanceof NotParsed) return null;
    throw error;
  }
}

function sum(state: State): Term {
  if (++state.depth > maxDepth) throw new NotParsed();
  const terms: Term[] = [];
  for (;;) {
    const sign = state.text[state.at];
    if (sign === '+' || sign === '-') state.at += 1;
    else if (terms.length > 0) break;
    const term = product(state);
    terms.push(sign === '-' ? combine('*', [{ kind: 'exact', value: { numerator: -1n, denominator: 1n } }, term]) : term);
  }
  state.depth -= 1;
  return combine('+', terms);
}

function product(state: State): Term {
  let term = factor(state);
  for (;;) {
    const char = state.text[state.at];
    if (char === '*') {
      state.at += 1;
      term = combine('*', [term, signedFactor(state)]);
    } else if (char === '/') {
      state.at += 1;
      term = quotient(term, signedFactor(state));
    } else if (char !== undefined && startsFactor(state)) {
      term = juxtaposed(state, term);
    } else return term;
  }
}

/** `2x` is a product, `3\frac{1}{2}` a mixed number. */
function juxtaposed(state: State, term: Term): Term {
  const whole = term.kind === 'exact' && term.value.denominator === 1n ? term.value : undefined;
  const mixed = whole !== undefined && state.text.startsWith('\\frac{', state.at) && /\d$/.test(state.text.slice(0, state.at));
  const next = factor(state);
  if (!mixed || next.kind !== 'exact') return combine('*', [term, next]);
  return { kind: 'exact', value: add(whole, whole.numerator < 0n ? negate(next.value) : next.value) };
}

function startsFactor(state: State): boolean {
  return /[\w({\\.]/.test(state.text[state.at]!) && !/^\\(?:cup|end|\\|})/.test(state.text.slice(state.at, state.at + 5));
}

function signedFactor(state: State): Term {
  const sign = state.text[state.at];
  if (sign === '-' || sign === '+') {
    state.at += 1;
    const term = factor(state);
    return sign === '-' ? combine('*', [{ kind: 'exact', value: { numerator: -1n, denominator: 1n } }, term]) : term;
  }
  return factor(state);
}

function factor(state: State): Term {
  let term = atom(state);
  while (state.text[state.at] === '!') {
    state.at += 1;
    term = factorial(term);
  }
  if (state.text[state.at] !== '^') return term;
  state.at += 1;
  const exponent = state.text[state.at] === '{' ? group(state, '{') : signedAtom(state);
  return raise(term, exponent);
}

function signedAtom(state: State): Term {
  if (state.text[state.at] !== '-') return atom(state);
  state.at += 1;
  return combine('*', [{ kind: 'exact', value: { numerator: -1n, denominator: 1n } }, atom(state)]);
}

function atom(state: State): Term {
  const { text } = state;
  const char = text[state.at];
  if (char === undefined) throw new NotParsed();
  const number = /^(\d{1,300})(?:\.(\d{1,300}))?|^\.(\d{1,300})/.exec(text.slice(state.at, state.at + 620));
  if (number !== null) {
    const grouped = /^\d{1,3}(?:,\d{3})+(?!\d)(?:\.\d+)?/.exec(text.slice(state.at, state.at + 100));
    if (grouped !== null) {
      state.at += grouped[0].length;
      const [integer, fraction] = grouped[0].replaceAll(',', '').split('.');
      return { kind: 'exact', value: fromDecimal(integer!, fraction ?? '')! };
    }
    state.at += number[0].length;
    return { kind: 'exact', value: fromDecimal(number[1] ?? '0', number[2] ?? number[3] ?? '')! };
  }
  if (char === '(') return group(state, '(');
  if (char === '{') return group(state, '{');
  if (char === '|') return absolute(state);
  if (char === '\\') return command(state);
  if (/[A-Za-z]/.test(char)) return word(state);
  throw new NotParsed();
}

function group(state: State, open: '(' | '{'): Term {
  state.at += 1;
  const term = sum(state);
  if (state.text[state.at] !== (open === '(' ? ')' : '}')) throw new NotParsed();
  state.at += 1;
  return term;
}

function absolute(state: State): Term {
  state.at += 1;
  const term = sum(state);
  if (state.text[state.at] !== '|') throw new NotParsed();
  state.at += 1;
  if (term.kind === 'exact') return { kind: 'exact', value: term.value.numerator < 0n ? negate(term.value) : term.value };
  return term.kind === 'real' ? { kind: 'real', value: Math.abs(term.value) } : { kind: 'symbolic', text: `|${term.text}|` };
}

function argument(state: State): Term {
  const char = state.text[state.at];
  if (char === '{') {
    if (closingBrace(state.text, state.at) < 0) throw new NotParsed();
    return group(state, '{');
  }
  return char === '(' ? group(state, '(') : factor(state);
}

function command(state: State): Term {
  const name = /^\\([a-zA-Z]+)/.exec(state.text.slice(state.at, state.at + 20))?.[1];
  if (name === undefined) throw new NotParsed();
  state.at += name.length + 1;
  if (name === 'frac') return quotient(argument(state), argument(state));
  if (name === 'pi') return { kind: 'real', value: Math.PI };
  if (name === 'sqrt') {
    let index: Term | undefined;
    if (state.text[state.at] === '[') {
      const end = state.text.indexOf(']', state.at);
      index = end < 0 ? undefined : (parseExpression(state.text.slice(state.at + 1, end)) ?? undefined);
      if (index === undefined) throw new NotParsed();
      state.at = end + 1;
    }
    return raise(argument(state), quotient(one, index ?? { kind: 'exact', value: rational(2n)! }));
  }
  if (functions.includes(name)) return apply(name, argument(state));
  return { kind: 'symbolic', text: `\\${name}` };
}

function word(state: State): Term {
  const rest = state.text.slice(state.at, state.at + 8);
  const name = functions.find((one) => rest.startsWith(one));
  if (name !== undefined && /[({\d\\]/.test(rest[name.length] ?? '')) {
    state.at += name.length;
    return name === 'sqrt' ? raise(argument(state), { kind: 'exact', value: rational(1n, 2n)! }) : apply(name, argument(state));
  }
  if (rest.startsWith('inf')) {
    state.at += 3;
    return { kind: 'real', value: Number.POSITIVE_INFINITY };
  }
  if (rest.startsWith('pi')) {
    state.at += 2;
    return { kind: 'real', value: Math.PI };
  }
  state.at += 1;
  let text = rest[0]!;
  const subscript = /^_(?:\{(\w{1,8})\}|(\w))/.exec(state.text.slice(state.at, state.at + 12));
  if (subscript !== null) {
    state.at += subscript[0].length;
    text += `_${subscript[1] ?? subscript[2]}`;
  }
  return text === 'e' ? { kind: 'real', value: Math.E } : { kind: 'symbolic', text };
}

function apply(name: string, term: Term): Term {
  if (term.kind === 'symbolic') return { kind: 'symbolic', text: `${name}(${term.text})` };
  const x = term.kind === 'exact' ? toNumber(term.value) : term.value;
  const values: Readonly<Record<string, (x: number) => number>> = {
    ln: Math.log,
    log: Math.log10,
    sin: Math.sin,
    cos: Math.cos,
    tan: Math.tan,
    exp: Math.exp,
    arcsin: Math.asin,
    arccos: Math.acos,
    arctan: Math.atan,
    sec: (v) => 1 / Math.cos(v),
    csc: (v) => 1 / Math.sin(v),
    cot: (v) => 1 / Math.tan(v),
  };
  return { kind: 'real', value: values[name]!(x) };
}

function factorial(term: Term): Term {
  if (term.kind !== 'exact' || term.value.denominator !== 1n || term.value.numerator < 0n || term.value.numerator > 170n)
    return { kind: 'symbolic', text: `(${show(term)})!` };
  let value = 1n;
  for (let factor = 2n; factor <= term.value.numerator; factor++) value *= factor;
  return { kind: 'exact', value: rational(value)! };
}

function numeric(term: Term): number {
  return term.kind === 'exact' ? toNumber(term.value) : term.kind === 'real' ? term.value : Number.NaN;
}

function show(term: Term): string {
  return term.kind === 'symbolic' ? term.text : term.kind === 'exact' ? formatRational(term.value) : term.value.toPrecision(12);
}

function combine(operator: '+' | '*', terms: readonly Term[]): Term {
  if (terms.length === 1) return terms[0]!;
  const exact = terms.flatMap((term) => (term.kind === 'exact' ? [term.value] : []));
  const folded = exact.reduce((a, b) => (operator === '+' ? add(a, b) : multiply(a, b)), rational(operator === '+' ? 0n : 1n)!);
  if (exact.length === terms.length) return { kind: 'exact', value: folded };
  if (terms.every((term) => term.kind !== 'symbolic')) {
    return {
      kind: 'real',
      value: terms.reduce((total, term) => (operator === '+' ? total + numeric(term) : total * numeric(term)), operator === '+' ? 0 : 1),
    };
  }
  const others = terms.filter((term) => term.kind !== 'exact').flatMap((term) => parts(term, operator));
  const neutral = folded.denominator === 1n && folded.numerator === (operator === '+' ? 0n : 1n);
  const all = [...(neutral ? [] : [formatRational(folded)]), ...others].sort();
  return { kind: 'symbolic', text: all.length === 1 ? all[0]! : `${operator}(${all.join(' ')})` };
}

/** The operands of a canonical sum or product, so that `a+(b+c)` and `(a+b)+c` are one. */
function parts(term: Term, operator: '+' | '*'): readonly string[] {
  const text = show(term);
  if (!text.startsWith(`${operator}(`)) return [text];
  const found: string[] = [];
  let depth = 0;
  let start = 2;
  for (let at = 2; at < text.length; at++) {
    const char = text[at];
    if (char === '(') depth += 1;
    if (char === ')') depth -= 1;
    if ((char === ' ' && depth === 0) || depth < 0) {
      found.push(text.slice(start, at));
      start = at + 1;
    }
  }
  return found;
}

function quotient(top: Term, bottom: Term): Term {
  if (top.kind === 'exact' && bottom.kind === 'exact') {
    const value = divide(top.value, bottom.value);
    if (value === null) throw new NotParsed();
    return { kind: 'exact', value };
  }
  if (top.kind !== 'symbolic' && bottom.kind !== 'symbolic') return { kind: 'real', value: numeric(top) / numeric(bottom) };
  return combine('*', [top, raise(bottom, { kind: 'exact', value: rational(-1n)! })]);
}

function raise(base: Term, exponent: Term): Term {
  if (exponent.kind === 'exact' && exponent.value.denominator === 1n && base.kind === 'exact') {
    const value = base.value.numerator === 0n && exponent.value.numerator < 0n ? null : power(base.value, Number(exponent.value.numerator));
    if (value === null) throw new NotParsed();
    return { kind: 'exact', value };
  }
  if (base.kind !== 'symbolic' && exponent.kind !== 'symbolic') {
    const value = numeric(base) ** numeric(exponent);
    const root = Math.round(value);
    const isRoot =
      base.kind === 'exact' &&
      exponent.kind === 'exact' &&
      base.value.denominator === 1n &&
      exponent.value.numerator === 1n &&
      Number.isSafeInteger(root) &&
      BigInt(root) ** exponent.value.denominator === base.value.numerator;
    return isRoot ? { kind: 'exact', value: rational(BigInt(root))! } : { kind: 'real', value };
  }
  return { kind: 'symbolic', text: show(exponent) === '1' ? show(base) : `^(${show(base)} ${show(exponent)})` };
}
