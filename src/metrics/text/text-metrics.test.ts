import { expect, test } from 'vitest';
import { invalid, scored } from '../../core/outcome.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { predictionRow } from '../prediction-row.ts';
import { textMetrics } from './text-metrics.ts';

let serial = 0;
function row(prediction: string | null, references: readonly string[], more: Partial<PredictionRow> = {}): PredictionRow {
  const outcome = prediction === null ? invalid('empty') : scored;
  return predictionRow({ id: `row-${serial++}`, label: references[0] ?? null, references: [...references], prediction, outcome, ...more });
}

function evaluate(name: string, rows: readonly PredictionRow[], use: Record<string, unknown> = {}) {
  const metric = textMetrics.find((each) => each.name === name)!;
  const accumulator = metric.create({ seed: 1, use });
  const rowScores = rows.map((each) => accumulator.add(each));
  const output = accumulator.finish();
  return { rowScores, output, value: output.values[0]! };
}

test('names are unique and every metric says what it is', () => {
  expect(new Set(textMetrics.map((metric) => metric.name)).size).toBe(textMetrics.length);
  for (const metric of textMetrics) expect(metric.description.length).toBeGreaterThan(20);
});

test('without rows every metric gives null and n = 0, never 0 or NaN', () => {
  for (const metric of textMetrics) {
    const use = metric.name === 'regex' ? { pattern: 'x' } : metric.name === 'json_schema' ? { schema: {} } : {};
    for (const value of metric.create({ seed: 1, use }).finish().values) {
      expect(value.value).toBeNull();
      expect(value.n).toBe(0);
      expect(value.interval).toBeNull();
      expect(value.standardError).toBeNull();
    }
  }
});

test('an invalid answer scores 0 and counts; a row without reference is left out and said so', () => {
  for (const name of ['exact_match', 'contains', 'token_f1', 'rouge_l']) {
    const { rowScores, value, output } = evaluate(name, [row('Lima', ['Lima']), row(null, ['Lima']), row('Lima', [])]);
    expect(rowScores).toEqual([1, 0, null]);
    expect(value.value).toBe(0.5);
    expect(value.n).toBe(2);
    expect(output.details?.notes).toEqual(['1 row has no reference and is left out']);
  }
});

test('the best of several references counts', () => {
  expect(evaluate('token_f1', [row('the big apple', ['Los Angeles', 'Big Apple'])]).value.value).toBe(1);
});

test('the interval follows the data: right or wrong, graded scores, repeats of one item', () => {
  const intervalOf = (name: string, rows: readonly PredictionRow[]) => evaluate(name, rows).value.interval?.method;
  expect(intervalOf('exact_match', [row('a', ['a']), row('b', ['a'])])).toBe('wilson');
  expect(intervalOf('token_f1', [row('a b', ['a']), row('b', ['a b c'])])).toBe('effective-wilson');
  const repeated = ['x', 'y'].flatMap((id) => [0, 1].map((repeat) => row(id, ['x'], { id, repeat })));
  expect(evaluate('exact_match', repeated).value.n).toBe(2);
});

test('a mistyped option names the one that was meant', () => {
  expect(() => evaluate('exact_match', [], { normalizer: 'squad' })).toThrow(/no option "normalizer"/);
  expect(() => evaluate('exact_match', [], { normaliser: 'sqad' })).toThrow(/normaliser/);
});

test('the default ROUGE tokenizer warns where it drops most of the text', () => {
  const russian = [row('я иду на работу', ['я иду на работу'])];
  const plain = evaluate('rouge_1', russian);
  expect(plain.value.value).toBe(0);
  expect(plain.output.details?.notes?.[0]).toContain('no scorable tokens');
  const unicode = evaluate('rouge_1', russian, { tokenizer: 'unicode' });
  expect(unicode.value.value).toBe(1);
  expect(unicode.output.details).toBeUndefined();
});

test("lm-eval's GSM8K comparison: strict and flexible readings of the same outputs", () => {
  const use = { ignoreCase: true, ignorePunctuation: false, regexesToIgnore: [',', '\\$', '(?s).*#### ', '\\.$'] };
  const gold = 'Some steps.\nMore steps.\n#### 1,234';
  const score = (prediction: string) => evaluate('exact_match', [row(prediction, [gold])], use).value.value;
  expect(score('1234.')).toBe(1);
  expect(score('$1,234')).toBe(1);
  expect(score('1,234.00')).toBe(0);
  expect(score('01234')).toBe(0);
  expect(score('[invalid]')).toBe(0);
  expect(evaluate('exact_match', [row('x', ['x'])], use).value.signature).toContain('norm:lm-eval');
});
