// Reads regular expressions written for Python's `re`, as lm-eval task files have them, with their Python meaning.
import { ToolError } from '../../core/errors.ts';
import { pythonSpace } from './python-text.ts';

/** What an escape means in Python, outside a character class and inside one (null: cannot stand in a class). */
const escapes: Readonly<Record<string, readonly [outside: string, inside: string | null]>> = {
  s: [`[${pythonSpace}]`, pythonSpace],
  S: [`[^${pythonSpace}]`, null],
  d: ['\\p{Nd}', '\\p{Nd}'],
  D: ['\\P{Nd}', '\\P{Nd}'],
  w: ['[\\p{L}\\p{N}_]', '\\p{L}\\p{N}_'],
  W: ['[^\\p{L}\\p{N}_]', null],
  b: ['(?:(?<=[\\p{L}\\p{N}_])(?![\\p{L}\\p{N}_])|(?<![\\p{L}\\p{N}_])(?=[\\p{L}\\p{N}_]))', '\\b'],
  B: ['(?:(?<=[\\p{L}\\p{N}_])(?=[\\p{L}\\p{N}_])|(?<![\\p{L}\\p{N}_])(?![\\p{L}\\p{N}_]))', null],
  A: ['(?<![\\s\\S])', null],
  Z: ['(?![\\s\\S])', null],
};
const syntaxCharacter = /[\^$\\.*+?()[\]{}|/]/;

interface Reading {
  readonly dotAll: boolean;
  readonly multiline: boolean;
}

function translateEscape(next: string, inClass: boolean, source: string): string {
  const known = escapes[next];
  if (known !== undefined) {
    const meaning = known[inClass ? 1 : 0];
    if (meaning === null) throw unreadable(source, `\\${next} inside a character class`);
    return meaning;
  }
  if (/[A-Za-z0-9]/.test(next) || syntaxCharacter.test(next)) return `\\${next}`;
  // Python allows a needless escape before any punctuation; JavaScript's Unicode mode allows `\-` in a class only.
  return next === '-' && inClass ? '\\-' : next;
}

function translateBody(source: string, { dotAll, multiline }: Reading): string {
  let inClass = false;
  let out = '';
  for (let index = 0; index < source.length; index++) {
    const character = source[index]!;
    if (character === '\\') out += translateEscape(source[++index] ?? '', inClass, source);
    else if (inClass) {
      if (character === ']' && source[index - 1] !== '[') inClass = false;
      out += character === '[' ? '\\[' : character;
    } else if (character === '[') {
      inClass = true;
      out += character;
      if (source[index + 1] === '^') out += source[++index];
      // A bracket right after the opening one is a member in Python and an empty class in JavaScript.
      if (source[index + 1] === ']') {
        out += '\\]';
        index++;
      }
    } else if (character === '.') out += dotAll ? '[\\s\\S]' : '[^\\n]';
    else if (character === '^') out += multiline ? '(?:(?<![\\s\\S])|(?<=\\n))' : '(?<![\\s\\S])';
    else if (character === '$') out += multiline ? '(?=\\n|(?![\\s\\S]))' : '(?=\\n?(?![\\s\\S]))';
    else if (source.startsWith('(?P<', index)) {
      out += '(?<';
      index += 3;
    } else if (source.startsWith('(?P=', index)) {
      const end = source.indexOf(')', index);
      out += `\\k<${source.slice(index + 4, end)}>`;
      index = end;
    } else if (
      (character === '{' && !/^\{(?:\d+(?:,\d*)?|,\d+)\}/.test(source.slice(index))) ||
      (character === '}' && !/\{[\d,]+$/.test(source.slice(0, index)))
    )
      out += `\\${character}`;
    else if (character === '{' && source[index + 1] === ',') out += '{0';
    else out += character;
  }
  return out;
}

function unreadable(source: string, problem: string, cause?: unknown): ToolError {
  return new ToolError('config', `cannot read the regular expression /${source}/: ${problem}`, {
    hint: 'write it for Python re without possessive or conditional groups',
    cause,
  });
}

/**
 * The JavaScript form of a Python pattern (`str` semantics: Unicode classes, Python line ends and anchors).
 * @param flags further JavaScript flags, `g` for instance
 * @throws ToolError `config` for a pattern that has no such form
 */
export function pythonRegex(source: string, flags = ''): RegExp {
  const leading = /^\(\?([aiLmsux]+)\)/.exec(source);
  const own = leading?.[1] ?? '';
  const body = source.slice(leading?.[0].length ?? 0);
  if (own.includes('x') || own.includes('L') || own.includes('a')) throw unreadable(source, `flag (?${own})`);
  const pattern = translateBody(body, { dotAll: own.includes('s'), multiline: own.includes('m') });
  try {
    return new RegExp(pattern, `${flags}u${own.includes('i') && !flags.includes('i') ? 'i' : ''}`);
  } catch (cause) {
    throw unreadable(source, cause instanceof Error ? cause.message : String(cause), cause);
  }
}
