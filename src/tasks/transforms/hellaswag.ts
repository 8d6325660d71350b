// HellaSwag: joins the two context parts and removes the WikiHow markers from context and endings.
import type { JsonObject } from '../../core/json.ts';
import { strip } from '../../metrics/text/python-text.ts';
import { capitalise } from '../python-capitalise.ts';
import { textOf } from '../row-values.ts';

/** The cleaning of lm-eval: white space that a removed marker leaves at the ends stays. */
function clean(text: string): string {
  return strip(text)
    .replaceAll(' [title]', '. ')
    .replace(/\[[^\n]*?\]/gu, '')
    .replaceAll('  ', ' ');
}

/** The same without left-over double or outer spaces. */
function cleanWell(text: string): string {
  return strip(clean(text).replace(/ {2,}/gu, ' '));
}

function build(fields: JsonObject, cleaner: (text: string) => string): JsonObject {
  const context = `${textOf(fields['ctx_a'])} ${capitalise(textOf(fields['ctx_b']))}`;
  const endings = fields['endings'];
  return {
    query: cleaner(`${textOf(fields['activity_label'])}: ${context}`),
    choices: Array.isArray(endings) ? endings.map((ending) => cleaner(textOf(ending))) : [],
  };
}

/** Adds `query` and `choices` as lm-eval has them. */
export function hellaswagLmEval(fields: JsonObject): JsonObject {
  return build(fields, clean);
}

/** Adds `query` and `choices`. */
export function hellaswag(fields: JsonObject): JsonObject {
  return build(fields, cleanWell);
}
