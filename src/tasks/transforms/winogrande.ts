// WinoGrande by partial evaluation (Trinh and Le 2018): one context for each option, the same rest of the sentence scored after both.
import { ToolError } from '../../core/errors.ts';
import type { JsonObject } from '../../core/json.ts';
import { strip } from '../../metrics/text/python-text.ts';
import { textOf } from '../row-values.ts';

/** Adds `contexts` (sentence up to the blank, option filled in), `rest` and `options`. */
export function winogrande(fields: JsonObject): JsonObject {
  const sentence = textOf(fields['sentence']);
  const blank = sentence.indexOf('_');
  if (blank < 0) throw new ToolError('data', `WinoGrande sentence has no blank "_": ${sentence.slice(0, 80)}`);
  const options = [textOf(fields['option1']), textOf(fields['option2'])];
  return { options, contexts: options.map((option) => sentence.slice(0, blank) + option), rest: strip(sentence.slice(blank + 1)) };
}
