// Reads JSON as models write it: truncated, with single quotes, trailing commas, comments or bare keys. Never throws.

export interface LenientJson {
  readonly value: unknown;
  /** Index after the last character read. */
  readonly end: number;
  /** The text ended before the document did; what was read so far is kept. */
  readonly truncated: boolean;
  /** Something had to be repaired: quotes, commas, bare keys, literals of other languages. */
  readonly repaired: boolean;
}

/** A document that nests deeper is read down to here and counts as cut. */
const maxDepth = 200;
const literals: Readonly<Record<string, unknown>> = {
  true: true,
  false: false,
  null: null,
  True: true,
  False: false,
  None: null,
  undefined: null,
  NaN: null,
  Infinity: null,
};

interface State {
  readonly text: string;
  at: number;
  truncated: boolean;
  repaired: boolean;
}

/** Marks a value that is not there: the text ended or broke before it began. */
const absent = Symbol('absent');
class Unreadable extends Error {}

/** The value that begins at `from` (after white space), or undefined where none does. */
export function parseLenientJson(text: string, from = 0): LenientJson | undefined {
  const state: State = { text, at: from, truncated: false, repaired: false };
  try {
    skipSpace(state);
    const value = parseValue(state, 0);
    return value === absent ? undefined : { value, end: state.at, truncated: state.truncated, repaired: state.repaired };
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

function skipSpace(state: State): void {
  const { text } = state;
  for (;;) {
    const code = text.charCodeAt(state.at);
    if (code === 32 || code === 10 || code === 13 || code === 9 || code === 0xa0 || code === 0xfeff) state.at += 1;
    else if (code === 47 && text[state.at + 1] === '/') skipTo(state, '\n');
    else if (code === 47 && text[state.at + 1] === '*') skipTo(state, '*/');
    else return;
  }
}

function skipTo(state: State, mark: string): void {
  const end = state.text.indexOf(mark, state.at + 2);
  state.at = end < 0 ? state.text.length : end + mark.length;
  state.repaired = true;
}

function parseValue(state: State, depth: number): unknown {
  if (depth > maxDepth) {
    state.at = state.text.length;
    state.truncated = true;
    return absent;
  }
  const char = state.text[state.at];
  if (char === undefined) {
    state.truncated = true;
    return absent;
  }
  if (char === '{') return parseObject(state, depth);
  if (char === '[') return parseArray(state, depth);
  if (char === '"' || char === "'" || char === '“') return parseString(state, char);
  return parseScalar(state);
}

function parseObject(state: State, depth: number): unknown {
  const entries: [string, unknown][] = [];
  state.at += 1;
  for (;;) {
    skipSpace(state);
    const char = state.text[state.at];
    if (char === undefined) {
      state.truncated = true;
      break;
    }
    if (char === '}') {
      state.at += 1;
      break;
    }
    if (char === ',') {
      if (entries.length === 0) throw new Unreadable();
      state.at += 1;
      continue;
    }
    const key = parseKey(state);
    if (key === absent) break;
    skipSpace(state);
    if (state.at >= state.text.length) {
      state.truncated = true;
      break;
    }
    if (state.text[state.at] !== ':') throw new Unreadable();
    state.at += 1;
    skipSpace(state);
    const value = parseValue(state, depth + 1);
    if (value === absent) break;
    entries.push([key as string, value]);
    separate(state, '}');
  }
  return objectOf(entries);
}

/** Own keys only, also `__proto__`. */
function objectOf(entries: readonly [string, unknown][]): Record<string, unknown> {
  return Object.fromEntries(entries);
}

function parseKey(state: State): string | typeof absent {
  const char = state.text[state.at]!;
  if (char === '"' || char === "'" || char === '“') {
    const key = parseString(state, char);
    return state.truncated ? absent : (key as string);
  }
  const start = state.at;
  while (/[\w$.-]/.test(state.text[state.at] ?? '')) state.at += 1;
  if (state.at === start) throw new Unreadable();
  state.repaired = true;
  if (state.at >= state.text.length) {
    state.truncated = true;
    return absent;
  }
  return state.text.slice(start, state.at);
}

/** After a value: a comma, the closing bracket, or (repaired) the next value. */
function separate(state: State, close: string): void {
  skipSpace(state);
  const char = state.text[state.at];
  if (char === ',') {
    state.at += 1;
    skipSpace(state);
    if (state.text[state.at] === close) state.repaired = true;
  } else if (char !== undefined && char !== close) {
    if (char === '}' || char === ']') throw new Unreadable();
    state.repaired = true;
  }
}

function parseArray(state: State, depth: number): unknown {
  const items: unknown[] = [];
  state.at += 1;
  for (;;) {
    skipSpace(state);
    const char = state.text[state.at];
    if (char === undefined) {
      state.truncated = true;
      break;
    }
    if (char === ']') {
      state.at += 1;
      break;
    }
    const value = parseValue(state, depth + 1);
    if (value === absent) break;
    items.push(value);
    separate(state, ']');
  }
  return items;
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '/': '/', '\\': '\\', '"': '"', "'": "'" };

function parseString(state: State, quote: string): string {
  const close = quote === '“' ? '”' : quote;
  if (quote !== '"') state.repaired = true;
  const { text } = state;
  let at = state.at + 1;
  let from = at;
  let result = '';
  for (; at < text.length; at++) {
    const char = text[at]!;
    if (char === close && !(close === "'" && isApostrophe(text, at))) {
      state.at = at + 1;
      return result + text.slice(from, at);
    }
    if (char === '\\') {
      result += text.slice(from, at);
      const next = text[at + 1];
      if (next === undefined) {
        from = text.length;
        break;
      }
      if (next === 'u') {
        const hex = text.slice(at + 2, at + 6);
        if (/^[0-9a-fA-F]{4}$/.test(hex)) {
          result += String.fromCharCode(Number.parseInt(hex, 16));
          at += 5;
        } else if (at + 6 > text.length) {
          from = text.length;
          at = text.length;
          break;
        } else {
          state.repaired = true;
          result += '\\u';
          at += 1;
        }
      } else {
        const escaped = escapes[next];
        if (escaped === undefined) state.repaired = true;
        result += escaped ?? `\\${next}`;
        at += 1;
      }
      from = at + 1;
    }
  }
  state.at = text.length;
  state.truncated = true;
  return result + text.slice(from);
}

/** A single quote inside a single-quoted string: letters on both sides. */
function isApostrophe(text: string, at: number): boolean {
  return /\p{L}/u.test(text[at - 1] ?? '') && /\p{L}/u.test(text[at + 1] ?? '');
}

function parseScalar(state: State): unknown {
  const start = state.at;
  const { text } = state;
  let at = start;
  while (at < text.length && at - start < 400 && /[\w.+-]/.test(text[at]!)) at += 1;
  const word = text.slice(start, at);
  if (word === '') throw new Unreadable();
  state.at = at;
  const ended = at >= text.length;
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(word)) return Number(word);
  if (Object.hasOwn(literals, word)) {
    if (!['true', 'false', 'null'].includes(word)) state.repaired = true;
    return literals[word];
  }
  if (ended) {
    state.truncated = true;
    return absent;
  }
  if (/^[+-]?\.?\d[\d.]*$/.test(word) && Number.isFinite(Number(word))) {
    state.repaired = true;
    return Number(word);
  }
  throw new Unreadable();
}
