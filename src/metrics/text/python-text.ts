// Text operations with Python's meaning of white space, case folding and code points, so that ported definitions keep their values.

/** Character class of Python's `str.isspace` (also `\s` in its `re`): has U+001C-1F and U+0085, lacks U+FEFF. */
export const pythonSpace = '\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';

const spaceRun = new RegExp(`[${pythonSpace}]+`);
const spaceRuns = new RegExp(`[${pythonSpace}]+`, 'g');

function isSpace(code: number): boolean {
  if (code < 0x80) return (code >= 9 && code <= 13) || (code >= 28 && code <= 32);
  return (
    code === 0x85 ||
    code === 0xa0 ||
    code === 0x1680 ||
    (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 ||
    code === 0x2029 ||
    code === 0x202f ||
    code === 0x205f ||
    code === 0x3000
  );
}

/** `text.split()`: pieces between runs of white space, none of them empty. */
export function splitWords(text: string): string[] {
  const words: string[] = [];
  let start = -1;
  for (let index = 0; index < text.length; index++) {
    if (isSpace(text.charCodeAt(index))) {
      if (start >= 0) words.push(text.slice(start, index));
      start = -1;
    } else if (start < 0) start = index;
  }
  if (start >= 0) words.push(text.slice(start));
  return words;
}

/** `text.rstrip()` */
export function stripEnd(text: string): string {
  let end = text.length;
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

/** `text.strip()` */
export function strip(text: string): string {
  let start = 0;
  while (start < text.length && isSpace(text.charCodeAt(start))) start++;
  return stripEnd(text.slice(start));
}

/** `''.join(text.split())` */
export function removeSpace(text: string): string {
  return spaceRun.test(text) ? text.replace(spaceRuns, '') : text;
}

/** Python's `string.punctuation`. */
export const asciiPunctuation = /[!-/:-@[-`{-~]/g;

/**
 * Full case folding (Unicode section 3.13) for comparison: two texts fold alike exactly when Python's `casefold` makes them alike.
 * JavaScript has no folding; upper-casing first expands what lower-casing leaves alone (`ß`, ligatures).
 */
export function caseFold(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  return text
    .split('ı')
    .map((part) => part.replaceAll('ẞ', 'ss').toUpperCase().toLowerCase().replaceAll('ς', 'σ'))
    .join('ı');
}

const pythonFloat =
  /^[+-]?(?:(?:\d+(?:_\d+)*)(?:\.(?:\d+(?:_\d+)*)?)?(?:e[+-]?\d+(?:_\d+)*)?|\.\d+(?:_\d+)*(?:e[+-]?\d+(?:_\d+)*)?|inf|infinity|nan)$/i;

/** `float(text)`, or undefined where Python raises ValueError. */
export function parsePythonFloat(text: string): number | undefined {
  const plain = foldDigits(strip(text));
  if (!pythonFloat.test(plain)) return undefined;
  const bare = plain.toLowerCase().replaceAll('_', '');
  if (bare.endsWith('nan')) return Number.NaN;
  if (bare.includes('inf')) return bare.startsWith('-') ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return Number(bare);
}

/** `str(value)` of a Python float: `1234.0`, `1e+16`, `1e-05`. */
export function formatPythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (Object.is(value, -0)) return '-0.0';
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e16 || size < 1e-4)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2');
  }
  const text = String(value);
  return text.includes('.') ? text : `${text}.0`;
}

/** Maps every decimal digit of Unicode (`\p{Nd}`) to its ASCII digit. */
export function foldDigits(text: string): string {
  if (!/[^\x00-\x7f]/.test(text)) return text;
  return text.replace(/\p{Nd}/gu, (digit) => (digit <= '9' ? digit : String(digitValue(digit.codePointAt(0)!))));
}

/** Digits come in runs of ten from 0 (Unicode section 4.6); a run may follow another without a gap, as the mathematical ones do. */
function digitValue(code: number): number {
  if (code >= 0x1d7ce && code <= 0x1d7ff) return (code - 0x1d7ce) % 10;
  let first = code;
  while (code - first < 9 && /\p{Nd}/u.test(String.fromCodePoint(first - 1))) first--;
  return code - first;
}
