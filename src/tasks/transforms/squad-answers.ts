// SQuAD-like rows: the distinct accepted answers; none means that the passage does not answer.
import type { JsonObject } from '../../core/json.ts';
import { textOf, valueAt } from '../row-values.ts';

/** Adds `accepted`, from `answers.text` or a plain list `answers`. */
export function squadAnswers(fields: JsonObject): JsonObject {
  const value = valueAt(fields, 'answers.text') ?? fields['answers'];
  const texts = Array.isArray(value) ? [...new Set(value.map(textOf))].filter((text) => text !== '') : [];
  return { accepted: texts.length > 0 ? texts : ['unanswerable'] };
}
