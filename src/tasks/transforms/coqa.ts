// CoQA: the story and all turns so far as one text; the answer of the last turn and its alternatives.
import type { Json, JsonObject } from '../../core/json.ts';
import { textOf, valueAt } from '../row-values.ts';

function texts(fields: JsonObject, path: string): readonly string[] {
  const value = valueAt(fields, path);
  return Array.isArray(value) ? value.map(textOf) : [];
}

/** Adds `dialogue`, which ends in `A:`, and `accepted` (the last turn's answers, repeats by case left out). */
export function coqa(fields: JsonObject): JsonObject {
  const questions = texts(fields, 'questions.input_text');
  const answers = texts(fields, 'answers.input_text');
  const turns = questions.map((question, index) => {
    const isLast = index >= answers.length - 1;
    return `Q: ${question}\n\n${isLast ? 'A:' : `A: ${answers[index]}\n\n`}`;
  });
  const last = questions.length - 1;
  const accepted = [answers[last] ?? ''];
  for (const answer of additional(fields['additional_answers'], last)) {
    if (!accepted.some((known) => known.toLowerCase() === answer.toLowerCase())) accepted.push(answer);
  }
  return { dialogue: `${textOf(fields['story'])}\n\n${turns.join('')}`, accepted: accepted.filter((answer) => answer !== '') };
}

function additional(sets: Json | undefined, turn: number): readonly string[] {
  if (typeof sets !== 'object' || sets === null || Array.isArray(sets)) return [];
  return Object.values(sets as JsonObject).flatMap((set) => {
    const list = typeof set === 'object' && set !== null && !Array.isArray(set) ? (set as JsonObject)['input_text'] : undefined;
    return Array.isArray(list) && turn < list.length ? [textOf(list[turn])] : [];
  });
}
