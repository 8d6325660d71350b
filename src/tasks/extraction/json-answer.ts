// The answer field of a reply that is a JSON object: {"answer": "B", "reason": "..."}.
import { parseLenientJson } from './lenient-json.ts';

const answerKeys = [
  'answer',
  'final_answer',
  'finalanswer',
  'final answer',
  'correct_answer',
  'correct answer',
  'correctanswer',
  'choice',
  'option',
  'correct_option',
  'letter',
  'label',
  'prediction',
  'result',
  'response',
  'value',
  'selected',
  'selection',
  'class',
  'category',
  'sentiment',
  'score',
  'verdict',
  'antwort',
  'réponse',
  'respuesta',
  'risposta',
  'resposta',
  'ответ',
  '答案',
];

/** undefined where the reply is no object (bare or in a fence) or none of its keys names an answer. */
export function answerOfJson(text: string): string | undefined {
  const open = text.indexOf('{');
  if (open < 0 || open > 200) return undefined;
  const before = text.slice(0, open).trim();
  if (before !== '' && !/^(?:.{0,100}\n)?```(?:json)?$|^json$/i.test(before)) return undefined;
  const parsed = parseLenientJson(text, open);
  if (parsed === undefined || typeof parsed.value !== 'object' || parsed.value === null) return undefined;
  const entries = Object.entries(parsed.value).map(([key, value]) => [key.trim().toLowerCase(), value] as const);
  for (const wanted of answerKeys) {
    const value = entries.find(([key]) => key === wanted)?.[1];
    if (typeof value === 'string' || typeof value === 'number') return String(value);
    if (Array.isArray(value) && value.length === 1 && typeof value[0] !== 'object') return String(value[0]);
  }
  return undefined;
}
