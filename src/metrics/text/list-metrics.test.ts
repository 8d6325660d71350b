import { expect, test } from 'vitest';
import { invalid } from '../../core/outcome.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { predictionRow } from '../prediction-row.ts';
import { textMetrics } from './text-metrics.ts';

let serial = 0;
const row = (facts: Partial<PredictionRow>): PredictionRow => predictionRow({ id: `r${serial++}`, ...facts });

function evaluate(name: string, rows: readonly PredictionRow[], use: Record<string, unknown> = {}) {
  const accumulator = textMetrics.find((metric) => metric.name === name)!.create({ seed: 1, use });
  const rowScores = rows.map((each) => accumulator.add(each));
  return { rowScores, ...accumulator.finish() };
}

const entity = (label: string, text: string, start?: number, end?: number) => JSON.stringify({ label, text, start, end });
const text = '😀 Ada Lovelace met Ada in Paris';

test('entities: strict and partial, with offsets in code points, verified against the text', () => {
  const references = [entity('PER', 'Ada Lovelace', 2, 14), entity('PER', 'Ada', 19, 22), entity('LOC', 'Paris', 26, 31)];
  const predictions = [
    entity('PER', 'Lovelace', 6, 14), // overlaps
    entity('LOC', 'Paris', 0, 5), // wrong offsets, but the text stands once
    entity('PER', 'Ada', 90, 93), // twice in the text: cannot be placed
    entity('LOC', 'London', 26, 31), // not in the text
    'no json',
  ];
  const { values, details } = evaluate('entity_f1', [row({ predictions, references, extra: { text } })]);
  const value = (name: string, average: string) => values.find((each) => each.name === name && each.average === average)!.value;
  expect(value('entity_precision', 'strict')).toBe(1 / 5);
  expect(value('entity_recall', 'strict')).toBe(1 / 3);
  expect(value('entity_f1', 'strict')).toBe(2 / 8);
  expect(value('entity_f1', 'partial')).toBe(3 / 8);
  expect(details?.notes?.[0]).toContain('3 predicted entities');
});

test('a document without entities is right when none are predicted, and an invalid answer misses all', () => {
  expect(evaluate('entity_f1', [row({ predictions: [], references: [] })]).rowScores).toEqual([1]);
  const missed = evaluate('entity_f1', [
    row({ outcome: invalid('unparseable'), references: [entity('PER', 'Ada', 2, 5)], extra: { text } }),
  ]);
  expect(missed.rowScores).toEqual([0]);
});

test('the same entity twice matches twice only if it is there twice', () => {
  const once = entity('PER', 'Ada Lovelace', 2, 14);
  expect(evaluate('entity_f1', [row({ predictions: [once, once], references: [once], extra: { text } })]).rowScores).toEqual([2 / 3]);
});

test('lists and sets', () => {
  const rows = [
    row({ predictions: ['The cat', 'dog'], references: ['dog', 'cat'] }),
    row({ prediction: '["a b"]', references: ['a b', 'c'] }),
  ];
  expect(evaluate('list_f1', rows).rowScores).toEqual([1, 2 / 3]);
  expect(evaluate('set_match', rows).rowScores).toEqual([1, 0]);
});

test('JSON: validity, schema and equality', () => {
  const answers = ['{"a": 1}', '{"a": "x"}', '[1]', '{a: 1}', 'NaN', ''].map((prediction) => row({ prediction, label: '{"a":1}' }));
  expect(evaluate('json_valid', answers).rowScores).toEqual([1, 1, 1, 0, 0, 0]);
  expect(evaluate('json_valid', answers, { objectOnly: true }).rowScores).toEqual([1, 1, 0, 0, 0, 0]);
  const schema = { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], unevaluatedProperties: false };
  expect(evaluate('json_schema', answers, { schema }).rowScores).toEqual([1, 0, 0, 0, 0, 0]);
  expect(evaluate('json_equal', answers).rowScores).toEqual([1, 0, 0, 0, 0, 0]);
  expect(() => evaluate('json_schema', [], { schema: { type: 'nonsense' } })).toThrow(/JSON Schema/);
});

test('corpus BLEU is not the mean of sentence scores, its signature is printed, and short or uncut texts are warned about', () => {
  const short = evaluate('bleu', [row({ prediction: 'Yes.', label: 'Yes.' })]);
  expect(short.values[0]!.value).toBe(0);
  expect(short.rowScores[0]).toBeCloseTo(100, 9);
  expect(short.values[0]!.signature).toBe('nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0');
  expect(short.details?.notes?.[0]).toContain('shorter');
  const known = evaluate('bleu', [row({ prediction: 'The cat sat on the mat.', label: 'The cat is on the mat.' })]);
  expect(known.values[0]!.value).toBeCloseTo(48.892302, 6);
  expect(evaluate('bleu', [row({ prediction: '', label: 'The cat is on the mat.' })]).values[0]!.value).toBe(0);
  expect(evaluate('bleu', [row({ prediction: 'The cat sat', label: '' })]).values[0]!.value).toBe(0);
  const chinese = [row({ prediction: '今天天气很好', label: '今天天气很好' })];
  expect(evaluate('bleu', chinese).details?.notes?.join(' ')).toContain('use zh or char');
  expect(evaluate('bleu', chinese, { tokenizer: 'intl' }).values[0]!.value).toBe(0);
  expect(evaluate('bleu', chinese, { tokenizer: 'zh' }).values[0]!.value).toBeCloseTo(100, 9);
  expect(evaluate('bleu', chinese, { tokenizer: 'char' }).values[0]!.value).toBeCloseTo(100, 9);
});

test('corpus metrics carry a seeded bootstrap interval around their value', () => {
  const rows = Array.from({ length: 30 }, (_, index) =>
    row({ prediction: `the cat number ${index} sat on a mat`, label: `the cat number ${index % 3} sat on the mat` }),
  );
  const first = evaluate('chrf', rows).values[0]!;
  expect(first.interval!.low).toBeLessThanOrEqual(first.value!);
  expect(first.interval!.high).toBeGreaterThanOrEqual(first.value!);
  expect(evaluate('chrf', rows).values[0]!.interval).toEqual(first.interval);
});
