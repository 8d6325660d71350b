// Each source of a name writes its rows a little differently: these functions give them one shape, before ids are made.
import { ToolError } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { RowShape } from '../make-split.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const textAt = (fields: JsonObject, name: string): string => String(fields[name] ?? '');
const objectAt = (fields: JsonObject, name: string): JsonObject =>
  typeof fields[name] === 'object' && fields[name] !== null ? (fields[name] as JsonObject) : {};
const listAt = (fields: JsonObject, name: string): readonly Json[] =>
  Array.isArray(fields[name]) ? (fields[name] as readonly Json[]) : [];

/** Keeps these columns; a missing one is null. */
const keep =
  (...columns: readonly string[]) =>
  (): RowShape =>
  (fields) =>
    Object.fromEntries(columns.map((column) => [column, fields[column] ?? null]));

/**
 * Options as `{ text, label }` with labels A, B, C... whatever the source numbered them, null options left out, and the gold
 * label in the same letters (119 of 3,548 ARC questions number their options 1 to 4).
 */
export function letteredChoices(fields: JsonObject, gold: string): { choices: JsonObject; answerKey: string } {
  const choices = objectAt(fields, 'choices');
  const texts = listAt(choices, 'text');
  const labels = listAt(choices, 'label').map(String);
  const kept = texts.flatMap((text, index) => (text === null ? [] : [{ text, label: labels[index] ?? '' }]));
  const index = kept.findIndex((option) => option.label === gold);
  if (index < 0) throw new ToolError('data', `gold "${gold}" is not among the labels ${labels.join(', ')}`);
  return { choices: { text: kept.map((option) => option.text), label: kept.map((_, at) => letters[at]!) }, answerKey: letters[index]! };
}

const lettered =
  (question: string, ...others: readonly string[]) =>
  (): RowShape =>
  (fields) => {
    const extra = Object.fromEntries(others.map((column) => [column, fields[column] ?? null]));
    return {
      id: fields['id'] ?? null,
      [question]: fields[question] ?? null,
      ...extra,
      ...letteredChoices(fields, textAt(fields, 'answerKey')),
    };
  };

/** Prepared requests repeat a document once an option; ids from 1,000,000 on are repeats for calibration. */
const firstOfDocument = (read: (document: JsonObject) => JsonObject): RowShape => {
  const seen = new Set<number>();
  return (fields) => {
    const id = Number(fields['doc_id']);
    if (seen.has(id) || id >= 1_000_000) return undefined;
    seen.add(id);
    return read(objectAt(fields, 'doc'));
  };
};

function questionOf(document: JsonObject): string {
  const match = /^Question: ([\s\S]*)\nAnswer:$/.exec(textAt(document, 'query'));
  if (match === null) throw new ToolError('data', `a prepared question has another form: ${textAt(document, 'query').slice(0, 80)}`);
  return match[1]!;
}

const lettersFromRequests = (question: string) => (): RowShape =>
  firstOfDocument((document) => {
    const texts = listAt(document, 'choices');
    const gold = Number(document['gold']);
    if (!(gold >= 0 && gold < texts.length)) throw new ToolError('data', `gold ${gold} outside 0..${texts.length - 1}`);
    const label = texts.map((_, index) => letters[index]!);
    return { id: document['id'] ?? null, [question]: questionOf(document), choices: { text: texts, label }, answerKey: letters[gold]! };
  });

const triviaQa = (): RowShape => (fields) => {
  const answer = objectAt(fields, 'answer');
  const pick = Object.fromEntries(
    ['aliases', 'normalized_aliases', 'normalized_value', 'type', 'value'].map((name) => [name, answer[name] ?? null]),
  );
  return {
    question: fields['question'] ?? null,
    question_id: fields['question_id'] ?? null,
    question_source: fields['question_source'] ?? null,
    answer: pick,
  };
};

const mmlu = (): RowShape => (fields) => ({
  question: fields['question'] ?? null,
  subject: fields['subject'] ?? null,
  choices: fields['choices'] ?? null,
  answer: fields['answer'] ?? null,
});

/** `sentence@label` with the label as the class number of the hub's dataset. */
const phraseBankLabels = ['negative', 'neutral', 'positive'];
const phraseBank = (): RowShape => (fields) => {
  const label = typeof fields['label'] === 'number' ? fields['label'] : phraseBankLabels.indexOf(textAt(fields, 'label'));
  if (label < 0) throw new ToolError('data', `label "${textAt(fields, 'label')}" is not one of ${phraseBankLabels.join(', ')}`);
  return { sentence: textAt(fields, 'sentence').trim(), label };
};

export const rowShapes = {
  arc: lettered('question'),
  'arc-requests': lettersFromRequests('question'),
  openbookqa: lettered('question_stem'),
  'openbookqa-requests': lettersFromRequests('question_stem'),
  'commonsense-qa': lettered('question', 'question_concept'),
  mmlu,
  hellaswag: keep('ind', 'activity_label', 'ctx_a', 'ctx_b', 'ctx', 'endings', 'source_id', 'label'),
  winogrande: keep('sentence', 'option1', 'option2', 'answer'),
  piqa: keep('goal', 'sol1', 'sol2', 'label'),
  boolq: keep('question', 'answer', 'passage'),
  sciq: keep('question', 'distractor3', 'distractor1', 'distractor2', 'correct_answer', 'support'),
  'social-iqa': keep('context', 'question', 'answerA', 'answerB', 'answerC', 'label'),
  sst2: keep('sentence', 'label', 'idx'),
  pair: keep('sentence1', 'sentence2', 'label', 'idx'),
  cb: keep('premise', 'hypothesis', 'idx', 'label'),
  copa: keep('premise', 'choice1', 'choice2', 'question', 'idx', 'label'),
  'trivia-qa': triviaQa,
  'nq-open': keep('question', 'answer'),
  gsm8k: keep('question', 'answer'),
  'gsm8k-requests': () => firstOfDocument((document) => ({ question: document['question'] ?? null, answer: document['answer'] ?? null })),
  'human-eval': keep('task_id', 'prompt', 'canonical_solution', 'test', 'entry_point'),
  'human-eval-requests': () =>
    firstOfDocument((document) => keep('task_id', 'prompt', 'canonical_solution', 'test', 'entry_point')()(document)!),
  mbpp: keep('task_id', 'text', 'code', 'test_list', 'test_setup_code', 'challenge_test_list'),
  'mbpp-requests': () =>
    firstOfDocument((document) => keep('task_id', 'text', 'code', 'test_list', 'test_setup_code', 'challenge_test_list')()(document)!),
  math: keep('problem', 'solution', 'answer', 'level'),
  'math-requests': () => firstOfDocument((document) => keep('problem', 'solution', 'answer', 'level')()(document)!),
  text: keep('text'),
  'lambada-requests': () =>
    firstOfDocument((document) => ({ text: `${textAt(document, 'query')} ${String(listAt(document, 'answers_text')[0] ?? '')}` })),
  'phrase-bank': phraseBank,
} satisfies Record<string, () => RowShape>;

/** Each name makes a fresh function, because some keep track of the documents they have seen. */
export type ShapeName = keyof typeof rowShapes;
