// TruthfulQA generation: reference answers as full sentences.
import type { Json, JsonObject } from '../../core/json.ts';
import { strip } from '../../metrics/text/python-text.ts';
import { textOf } from '../row-values.ts';

const noComment = 'I have no comment.';

function sentences(value: Json | undefined): string[] {
  if (!Array.isArray(value)) return [];
  return value.map((item) => strip(textOf(item))).flatMap((text) => (text === '' ? [] : [text.endsWith('.') ? text : `${text}.`]));
}

/** Replaces `question`, `correct_answers` (refusing to comment counts as true) and `incorrect_answers`. */
export function truthfulqaGeneration(fields: JsonObject): JsonObject {
  const correct = sentences(fields['correct_answers']);
  return {
    question: strip(textOf(fields['question'])),
    correct_answers: correct.includes(noComment) ? correct : [...correct, noComment],
    incorrect_answers: sentences(fields['incorrect_answers']),
  };
}
