// Splits text into words by script, in one pass: the ground on which cues and option letters are found.

export interface Word {
  readonly start: number;
  readonly end: number;
  /** Lower case. */
  readonly text: string;
}

const asciiClass = new Uint8Array(128);
for (let code = 48; code <= 57; code++) asciiClass[code] = 1;
for (let code = 65; code <= 90; code++) asciiClass[code] = 1;
for (let code = 97; code <= 122; code++) asciiClass[code] = 1;

/**
 * 0 none, 1 alphabetic (Latin, Greek, Cyrillic) and digits, 2 scripts with spaces (Arabic, Hebrew, Indic), 3 scripts that put no
 * space beside a Latin letter (Han, Kana, Hangul, Thai). A word ends where the class changes: `答案是B` is two words.
 */
export function wordClass(code: number): 0 | 1 | 2 | 3 {
  if (code < 128) return asciiClass[code] as 0 | 1;
  if (code < 0x250) return code === 0xaa || code === 0xb5 || code === 0xba || (code >= 0xc0 && code !== 0xd7 && code !== 0xf7) ? 1 : 0;
  if (code < 0x530) return code === 0x37e || code === 0x387 ? 0 : 1;
  if (code >= 0x590 && code < 0xe00) return isMark(code) ? 0 : 2;
  if (code >= 0xe00 && code < 0x1000) return 3;
  if (code >= 0x1e00 && code < 0x2000) return 1;
  if ((code >= 0x3041 && code < 0x3100 && code !== 0x30fb) || (code >= 0x3400 && code < 0xa000) || (code >= 0xac00 && code < 0xd7b0))
    return 3;
  return 0;
}

/** Punctuation inside the Arabic and Indic blocks. */
function isMark(code: number): boolean {
  return (
    code === 0x60c ||
    code === 0x61b ||
    code === 0x61f ||
    code === 0x6d4 ||
    code === 0x964 ||
    code === 0x965 ||
    code === 0x5be ||
    code === 0x66a
  );
}

/** Words from `from` on. Linear; a word longer than 40 characters keeps its span but no text. */
export function splitWords(text: string, from = 0): Word[] {
  const words: Word[] = [];
  const length = text.length;
  let at = from;
  while (at < length) {
    const kind = wordClass(text.charCodeAt(at));
    if (kind === 0) {
      at += 1;
      continue;
    }
    const start = at;
    do at += 1;
    while (at < length && wordClass(text.charCodeAt(at)) === kind);
    words.push({ start, end: at, text: at - start > 40 ? '' : text.slice(start, at).toLowerCase() });
  }
  return words;
}

/** What stands between two words. */
export interface Gap {
  /** A colon, equals sign, arrow or spaced dash. */
  readonly link: boolean;
  /** The end of a sentence. */
  readonly stop: boolean;
  readonly newline: boolean;
  readonly comma: boolean;
}

const noGap: Gap = { link: false, stop: false, newline: false, comma: false };

export function gapBetween(text: string, from: number, to: number): Gap {
  if (to - from === 1 && text.charCodeAt(from) === 32) return noGap;
  let link = false;
  let stop = false;
  let newline = false;
  let comma = false;
  const end = Math.min(to, from + 400);
  for (let at = from; at < end; at++) {
    const char = text[at]!;
    if (char === ' ' || char === '*' || char === '_' || char === '"') continue;
    if (char === ':' || char === '=' || char === '→' || char === '⇒' || char === '>' || char === '～' || char === '~') link = true;
    else if (char === '-' || char === '–' || char === '—') link ||= at > from || to - from === 1;
    else if (char === '\n') newline = true;
    else if (char === ',' || char === '、' || char === '،' || char === '&' || char === '/') comma = true;
    else if (char === ';' || char === '!' || char === '?' || char === '。' || char === '।' || char === '؟') stop = true;
    else if (char === '.') stop = true;
  }
  return { link, stop: stop || to - from > 400, newline, comma };
}
