// LAMBADA: predict the last word of a passage.
import type { JsonObject } from '../../core/json.ts';
import { textOf } from '../row-values.ts';

/** Adds `context` (all but the last space-separated word) and `last`. */
export function lambada(fields: JsonObject): JsonObject {
  const text = textOf(fields['text']);
  const cut = text.lastIndexOf(' ');
  return cut < 0 ? { context: '', last: text } : { context: text.slice(0, cut), last: text.slice(cut + 1) };
}
