// MMLU-Pro: up to ten options, and worked solutions whose lead-in differs between question and shot.
import type { JsonObject } from '../../core/json.ts';
import { strip } from '../../metrics/text/python-text.ts';
import { optionLetters, textOf } from '../row-values.ts';

const leadIn = "A: Let's think step by step. ";

/** Adds `listing` (the lettered options) and `reasoning` (the worked solution without its lead-in). */
export function mmluPro(fields: JsonObject): JsonObject {
  const options = Array.isArray(fields['options']) ? fields['options'].map(textOf).slice(0, 10) : [];
  const listing = options.map((option, index) => `${optionLetters[index]}. ${strip(option)}\n`).join('');
  return { listing, reasoning: textOf(fields['cot_content']).replaceAll(leadIn, '') };
}
