// WikiText: undoes the tokenised spelling of the corpus before scoring. The order of the rules is part of the definition.
import type { JsonObject } from '../../core/json.ts';
import { pythonSpace } from '../../metrics/text/python-text.ts';
import { textOf } from '../row-values.ts';

const space = `[${pythonSpace}]*`;
const rules: readonly (readonly [RegExp | string, string])[] = [
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
  [new RegExp(`\\(${space}([^)]*?)${space}\\)`, 'gu'), '($1)'],
  [new RegExp(`\\[${space}([^\\]]*?)${space}\\]`, 'gu'), '[$1]'],
  [new RegExp(`\\{${space}([^}]*?)${space}\\}`, 'gu'), '{$1}'],
  [new RegExp(`"${space}([^"]*?)${space}"`, 'gu'), '"$1"'],
  [new RegExp(`'${space}([^']*?)${space}'`, 'gu'), "'$1'"],
  ['= = = =', '===='],
  ['= = =', '==='],
  ['= =', '=='],
  [' \u00b0 ', '\u00b0'],
  [' \n', '\n'],
  ['\n ', '\n'],
  [' N ', ' 1 '],
  [" 's", "'s"],
];

/** Text as people write it. */
export function detokenise(page: string): string {
  return rules.reduce((text, [from, to]) => text.replaceAll(from, to), page);
}

/** Adds `text`, the page to score; `page` itself stays the base of word and byte counts. */
export function wikitext(fields: JsonObject): JsonObject {
  return { text: detokenise(textOf(fields['page'])) };
}
