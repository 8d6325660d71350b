// Tokenizers of sacreBLEU 2.x, so that a printed signature means the same numbers here and there.
import { splitWords, strip } from './python-text.ts';

export const bleuTokenizers = ['13a', 'intl', 'char', 'zh', 'none'] as const;
export type BleuTokenizer = (typeof bleuTokenizers)[number];

/**
 * mteval-v13a's language-dependent part: split ASCII punctuation off, but keep `.` and `,` between digits.
 * The original class also widens each space, which splitting on spaces makes void.
 */
function splitWestern(line: string): string[] {
  return splitWords(
    line
      .replace(/[{-~[-`!-&(-+:-@/]/g, ' $& ')
      .replace(/([^0-9])([.,])/g, '$1 $2 ')
      .replace(/([.,])([^0-9])/g, ' $1 $2')
      .replace(/([0-9])-/g, '$1 - '),
  );
}

function split13a(line: string): string[] {
  let text = line.replaceAll('<skipped>', '').replaceAll('-\n', '').replaceAll('\n', ' ');
  if (text.includes('&')) text = text.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
  return splitWestern(` ${text} `);
}

/** mteval-v14's international tokenization: Unicode punctuation and symbols are tokens, except between digits. */
function splitInternational(line: string): string[] {
  return splitWords(
    line
      .replace(/(\P{N})(\p{P})/gu, '$1 $2 ')
      .replace(/(\p{P})(\P{N})/gu, ' $1 $2')
      .replace(/\p{S}/gu, ' $& '),
  );
}

/**
 * What sacreBLEU calls Chinese. Two of its ranges are written with five hex digits after a four-digit escape and so mean
 * U+2001-2A6D and U+2F81-2FA1 in place of the supplementary planes; kept, because equal numbers are the point.
 */
const chinese =
  /[\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31bf\u31c0-\u31ef\u3200-\u33ff\u3400-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef]/g;

function splitChinese(line: string): string[] {
  return splitWestern(strip(line).replace(chinese, ' $& '));
}

const splitters: Readonly<Record<BleuTokenizer, (line: string) => string[]>> = {
  '13a': split13a,
  intl: splitInternational,
  zh: splitChinese,
  char: (line) => [...line].filter((character) => strip(character) !== ''),
  none: splitWords,
};

export function bleuTokens(line: string, tokenizer: BleuTokenizer): string[] {
  return splitters[tokenizer](line);
}

/** True where 13a would leave whole sentences as single tokens: more than half of the letters are Han, Kana, Thai, Lao, Khmer or Burmese. */
export function needsOtherTokenizer(text: string): boolean {
  const unspaced =
    text.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/gu)
      ?.length ?? 0;
  return unspaced > 0 && unspaced * 2 > (text.match(/\p{L}/gu)?.length ?? 0);
}
