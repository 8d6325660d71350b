// IFEval end to end: row, grade, the four accuracies; approximated checkers on plain cases.
import { describe, expect, test } from 'vitest';
import type { Row } from '../../core/dataset.ts';
import { noTiming, noUsage } from '../../core/generation.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { bindTask } from '../bind-task.ts';
import { findTask } from '../registry.ts';
import { countCapitalWords, countSentences, detectLanguage } from './approximations.ts';
import { checkInstruction } from './check-instruction.ts';
import { gradeInstructions } from './ifeval-grader.ts';
import { ifevalMetric } from './ifeval-metric.ts';

const row: Row = {
  id: 'i',
  fields: {
    key: 1,
    prompt: 'Write two bullets without commas.',
    instruction_id_list: ['punctuation:no_comma', 'detectable_format:number_bullet_lists'],
    kwargs: [{ num_bullets: null }, { num_bullets: 2, relation: null, frequency: 0 }],
  },
};

function predictionOf(text: string, document = row): PredictionRow {
  const task = bindTask(findTask('ifeval').definition, { rows: [document], protocol: 'native', seed: 1 });
  const sample = task.prepare(document, { protocol: 'native', chat: true, generation: {} });
  const result = { text, finishReason: 'stop', usage: noUsage, timing: noTiming, warnings: [] } as const;
  const answer = task.read(sample, { kind: 'generate', result }, document);
  const rest = {
    model: 'm',
    task: 'ifeval',
    repeat: 0,
    raw: text,
    finishReason: 'stop',
    usage: noUsage,
    timing: noTiming,
    origin: 'fresh',
  } as const;
  const made: PredictionRow = { ...sample.facts, ...answer, ...rest, warnings: [...answer.warnings] };
  return { ...made, grades: [gradeInstructions(made)] };
}

test('strict, loose and blank', () => {
  const texts = ['* one\n* two', 'Sure, here:\n* one\n* two', 'no bullets', ''];
  const rows = texts.map((text) => predictionOf(text));
  expect(rows.map(({ grades }) => grades?.[0]?.score)).toEqual([1, 0, 0, 0]);
  const accumulator = ifevalMetric.create({ seed: 1, use: {} });
  for (const prediction of rows) accumulator.add(prediction);
  const values = Object.fromEntries(accumulator.finish().values.map(({ average, value, n }) => [average, [value, n]]));
  expect(values).toEqual({
    'prompt-strict': [0.25, 4],
    'instruction-strict': [4 / 8, 8],
    'prompt-loose': [0.5, 4],
    'instruction-loose': [5 / 8, 8],
  });
});

test('no rows give null', () => {
  expect(
    ifevalMetric
      .create({ seed: 1, use: {} })
      .finish()
      .values.every(({ value, n, interval }) => value === null && n === 0 && interval === null),
  ).toBe(true);
});

test('a missing argument is not graded, an unknown instruction is an error', () => {
  const missing = { ...row, fields: { ...row.fields, kwargs: [{}, {}] } };
  expect(predictionOf('* a', missing).grades?.[0]).toMatchObject({ score: null, verdict: 'missing-argument' });
  expect(() => checkInstruction('punctuation:no_coma', {}, '', 'x')).toThrow(
    expect.objectContaining({ hint: 'did you mean "punctuation:no_comma"?' }),
  );
});

describe('approximations', () => {
  test.each([
    ['', 0],
    ['One.', 1],
    ['One. Two! Three?', 3],
    ['Dr. Smith came. He sat.', 2],
    ['It costs 3.5 dollars, e.g. for tea. Good', 2],
    ['No stop at the end', 1],
  ])('%j has %i sentences', (text, count) => {
    expect(countSentences(text)).toBe(count);
  });

  test('capital words', () => {
    expect(countCapitalWords('The NASA and A-B test, USA. Ok')).toBe(3);
  });

  test.each([
    ['The quick brown fox is in the garden with a dog.', 'en'],
    ['Der Hund ist nicht in dem Haus und schläft.', 'de'],
    ['Le chat est dans la maison et il dort.', 'fr'],
    ['El perro está en la casa y no duerme.', 'es'],
    ['これは日本語の文章です。', 'ja'],
    ['这是一个句子。', 'zh'],
    ['이것은 문장입니다.', 'ko'],
    ['यह एक वाक्य है और अच्छा है', 'hi'],
    ['Это не он, а она.', 'ru'],
    ['123', null],
  ])('%j is %s', (text, language) => {
    expect(detectLanguage(text)).toBe(language);
  });
});
