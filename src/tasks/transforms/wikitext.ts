// WikiText: undoes the tokenised spelling of the corpus before scoring. The order of the rules is part of the definition.
import type { JsonObject } from '../../core/json.ts';
import { strip } from '../../metrics/text/python-text.ts';
import { textOf } from '../row-values.ts';

const separators: readonly (readonly [string, string])[] = [
  ["s '", "s'"],
  [' @-@ ', '-'],
  [' @,@ ', ','],
  [' @.@ ', '.'],
  [' : ', ': '],
  [' ; ', '; '],
  [' . ', '. '],
  [' ! ', '! '],
  [' ? ', '? '],
  [' , ', ', '],
];
const enclosures = ['()', '[]', '{}', '""', "''"];
const remainders: readonly (readonly [string, string])[] = [
  ['= = = =', '===='],
  ['= = =', '==='],
  ['= =', '=='],
  [' \u00b0 ', '\u00b0'],
  [' \n', '\n'],
  ['\n ', '\n'],
  [' N ', ' 1 '],
  [" 's", "'s"],
];

function replaceEach(text: string, rules: readonly (readonly [string, string])[]): string {
  return rules.reduce((left, [from, to]) => left.replaceAll(from, to), text);
}

/** Strips what stands between an opening mark and the next closing one. A plain scan: patterns for it take quadratic time. */
function trimInside(text: string, open: string, close: string): string {
  let out = '';
  let from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    const end = start < 0 ? -1 : text.indexOf(close, start + 1);
    if (end < 0) return out + text.slice(from);
    out += text.slice(from, start + 1) + strip(text.slice(start + 1, end)) + close;
    from = end + 1;
  }
}

/** Text as people write it. */
export function detokenise(page: string): string {
  const separated = replaceEach(page, separators);
  return replaceEach(
    enclosures.reduce((text, [open, close]) => trimInside(text, open!, close!), separated),
    remainders,
  );
}

/** Adds `text`, the page to score; `page` itself stays the base of word and byte counts. */
export function wikitext(fields: JsonObject): JsonObject {
  return { text: detokenise(textOf(fields['page'])) };
}
