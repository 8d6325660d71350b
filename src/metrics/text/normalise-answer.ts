// How answers are made comparable before exact match and token F1. Every normaliser has a name, and the name is in the record.
import { asciiPunctuation, caseFold, foldDigits, splitWords, strip } from './python-text.ts';

/**
 * `strict`: as it is. `trim`: white space at the ends goes. `squad`: the SQuAD 1.1 script. `native`: the same with its faults repaired:
 * numbers keep sign, point and inner marks, an answer that is nothing but articles or punctuation is kept, Unicode forms are alike.
 */
export const normalisers = ['strict', 'trim', 'native', 'squad'] as const;
export type Normaliser = (typeof normalisers)[number];

// Python's \b sees Unicode letters, digits and the underscore as word characters.
const word = '[\\p{L}\\p{N}_]';
const articles = new RegExp(`(?<!${word})(?:a|an|the)(?!${word})`, 'gu');

/** The normaliser of the SQuAD 1.1 evaluation script: lower case, no ASCII punctuation, no articles, single spaces. */
export function normaliseSquad(text: string): string {
  const bare = text.toLowerCase().replace(asciiPunctuation, '');
  return splitWords(bare.replace(articles, ' ')).join(' ');
}

const invisible = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const number = /(?<![\p{L}\p{N}_])[-+]?(?:\d+(?:[.,:/-]\d+){0,12}|\.\d+)(?:e[-+]?\d+)?(?![\p{L}\p{N}_])|[^\d+.-]+|[\s\S]/gu;
const isNumber = /^[-+]?\.?\d/;
const grouped = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const punctuation = /[\p{P}\p{Sc}$+<=>^`|~]/gu;

/** Unicode forms that a reader sees as the same: widths, digits of all scripts, minus signs, case, invisible characters. */
export function foldForms(text: string): string {
  if (/^[\x00-\x7f]*$/.test(text)) return text.toLowerCase();
  const plain = foldDigits(text.replace(invisible, '').normalize('NFKC'));
  return caseFold(
    plain
      .replace(/[\u2212\u2010\u2011]/g, '-')
      .replace(/(?<=\d)\u2013(?=\d)/g, '-')
      .replace(/[\u2018\u2019]/g, "'"),
  ).normalize('NFC');
}

function plainNumber(text: string): string {
  const unsigned = text.replace(/^\+/, '');
  const sign = unsigned.startsWith('-') ? '-' : '';
  const digits = unsigned.slice(sign.length);
  return sign + (grouped.test(digits) ? digits.replaceAll(',', '') : digits.startsWith('.') ? `0${digits}` : digits);
}

/** SQuAD's normaliser without its faults (see `normalisers`). */
export function normaliseNative(text: string): string {
  const folded = foldForms(text);
  // A currency sign stands between the minus and its number or before both: -$5, $-5.
  const joined = folded.replace(/(?<![\p{L}\p{N}_])-\p{Sc}(?=[.\d])/gu, '-');
  const bare = joined.replace(number, (piece) => (isNumber.test(piece) ? plainNumber(piece) : piece.replace(punctuation, '')));
  const words = splitWords(bare);
  const kept = words.filter((each) => each !== 'a' && each !== 'an' && each !== 'the');
  if (kept.length > 0) return kept.join(' ');
  return words.length > 0 ? words.join(' ') : splitWords(folded).join(' ');
}

const functions: Readonly<Record<Normaliser, (text: string) => string>> = {
  strict: (text) => text,
  trim: strip,
  native: normaliseNative,
  squad: normaliseSquad,
};

export function normaliseAnswer(text: string, normaliser: Normaliser): string {
  return functions[normaliser](text);
}
