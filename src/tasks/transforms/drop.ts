// DROP: the accepted answers of a row, each a number, a date or a list of spans.
import type { Json, JsonObject } from '../../core/json.ts';
import { textOf } from '../row-values.ts';

function member(value: Json | undefined, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject)[name] : undefined;
}

function spansOf(answer: Json | undefined): readonly string[] {
  const number = textOf(member(answer, 'number'));
  if (number !== '') return [number];
  const spans = member(answer, 'spans');
  if (Array.isArray(spans) && spans.length > 0) return spans.map(textOf);
  const date = member(answer, 'date');
  return [
    ['day', 'month', 'year']
      .map((part) => textOf(member(date, part)))
      .join(' ')
      .trim(),
  ];
}

/** Annotators' answers arrive as one object of parallel lists. */
function validated(answers: Json | undefined): readonly Json[] {
  const numbers = member(answers, 'number');
  if (!Array.isArray(numbers)) return Array.isArray(answers) ? answers : [];
  const at = (name: string, index: number): Json => {
    const list = member(answers, name);
    return Array.isArray(list) ? (list[index] ?? null) : null;
  };
  return numbers.map((number: Json, index) => ({ number, date: at('date', index), spans: at('spans', index) }));
}

/** Adds `accepted` (one text per distinct answer, several spans as a JSON list) and `answer_keys`, which lm-eval shows in its shots. */
export function drop(fields: JsonObject): JsonObject {
  const candidates = [fields['answer'], ...validated(fields['validated_answers'])].map(spansOf);
  const accepted = [...new Set(candidates.map((spans) => (spans.length === 1 ? spans[0]! : JSON.stringify(spans))))].filter(
    (text) => text.trim() !== '',
  );
  const answer = fields['answer'];
  const keys = typeof answer === 'object' && answer !== null && !Array.isArray(answer) ? Object.keys(answer) : [];
  return { accepted, answer_keys: keys.join(',') };
}
