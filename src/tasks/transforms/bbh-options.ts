// BIG-bench Hard: finds the lettered options inside the question, where a subtask has them.
import type { JsonObject } from '../../core/json.ts';
import { textOf } from '../row-values.ts';

/** Adds `options` (the texts behind `(A)`, `(B)`..., empty where the answer is free text) and `letter` of the right one. */
export function bbhOptions(fields: JsonObject): JsonObject {
  const options = [...textOf(fields['input']).matchAll(/^\(([A-Z])\)[ \t]*([^\n]*)/gmu)].map((hit) => hit[2]!.trim());
  const letter = options.length === 0 ? '' : (/^\(([A-Z])\)/u.exec(textOf(fields['target']))?.[1] ?? '');
  return { options: letter === '' ? [] : options, letter };
}
