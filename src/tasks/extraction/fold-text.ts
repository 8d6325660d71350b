// One spelling for look-alike characters: Unicode digits, minus signs, widths and invisible marks, without changing what a person reads.

const ascii = /^[\x00-\x7f]*$/;
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]|[\ufe0e\ufe0f]|\u20e3/g;
const groupSpace = /(?<=\d)[\u00a0\u2007\u2009\u202f](?=\d{3}(?!\d))/g;
const vulgar = /(\d?)\s?([\u00bc-\u00be\u2150-\u215e])/g;
const superscript = /(?<=[\p{L}\p{N})\]}])[\u2070\u00b9\u00b2\u00b3\u2074-\u2079\u207a\u207b]+/gu;
const squared = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu;
const unicodeDigit = /\p{Nd}/gu;
const nonAsciiDigit = /[^\x00-\x7f]/;

/** Is every character ASCII? Most outputs are, and need no folding at all. */
export function isAscii(text: string): boolean {
  return ascii.test(text);
}

/**
 * NFKC with the traps taken out first: `3½` is `3 1/2`, `10³` is `10^3`, `1 000` with a no-break space is `1,000`.
 * All decimal digits become ASCII, minus signs `-`, invisible characters go. Case is kept.
 */
export function foldText(text: string): string {
  if (isAscii(text)) return text;
  let folded = text
    .replace(invisible, '')
    .replace(unicodeDigit, asciiDigit)
    .replace(groupSpace, ',')
    .replace(
      vulgar,
      (_, digit: string, fraction: string) => (digit === '' ? '' : `${digit} `) + fraction.normalize('NFKC').replace('\u2044', '/'),
    )
    .replace(superscript, (run) => `^${run.normalize('NFKC').replace(/[\u2212\u207b]/g, '-')}`)
    .replace(squared, (letter) => {
      const code = letter.codePointAt(0)!;
      return String.fromCharCode(65 + (code >= 0x1f170 ? code - 0x1f170 : code - 0x1f150));
    })
    .replace(/[\u066b\u066c]/g, (mark) => (mark === '\u066b' ? '.' : ','));
  folded = folded.normalize('NFKC');
  return folded
    .replace(/[\u2212\ufe63\u2010\u2011]/g, '-')
    .replace(/\u2044/g, '/')
    .replace(/[\u2018\u2019\u02bc]/g, "'");
}

/** A decimal digit of any script as ASCII: digits come in runs of ten that start at a code point whose value is 0. */
function asciiDigit(digit: string): string {
  if (!nonAsciiDigit.test(digit)) return digit;
  const compatible = digit.normalize('NFKC');
  if (compatible >= '0' && compatible <= '9' && compatible.length === 1) return compatible;
  let zero = digit.codePointAt(0)!;
  let value = 0;
  while (value < 9 && /^\p{Nd}$/u.test(String.fromCodePoint(zero - 1))) {
    zero -= 1;
    value += 1;
  }
  return String(value);
}

/**
 * Full case folding for comparison: Unicode's simple folding through lower case, with the sharp s and final sigma
 * that `toLowerCase` leaves apart, and without the dot that a Turkish capital I would add.
 */
export function caseFold(text: string): string {
  const lower = text.toLowerCase();
  return isAscii(lower)
    ? lower
    : lower
        .replace(/ß|ẞ/g, 'ss')
        .replace(/ς/g, 'σ')
        .replace(/i\u0307/g, 'i');
}

const outer = '.,;:!?"\'`*_ \t\r\n()[]{}<>«»„“”‘’‚‹›「」『』【】《》。、！？،؛؟।…';

/** Folded, case-folded, white space collapsed: the light form in which two texts are compared. */
export function comparable(text: string): string {
  return caseFold(foldText(text)).replace(/\s+/g, ' ').trim();
}

/** `comparable` without outer punctuation, quotes and markdown; the sign, currency and percent of a number stay. */
export function bareText(text: string): string {
  const folded = comparable(text);
  let start = 0;
  let end = folded.length;
  while (start < end && outer.includes(folded[start]!) && !(folded[start] === '.' && isDigit(folded.charCodeAt(start + 1)))) start += 1;
  while (end > start && outer.includes(folded[end - 1]!)) end -= 1;
  return folded.slice(start, end);
}

export function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
