// Inference from bare rows: the usual column names, the tutorial's fields, and clear errors where only the user can tell.
import { describe, expect, test } from 'vitest';
import type { Row } from '../core/dataset.ts';
import type { JsonObject } from '../core/json.ts';
import { bindTask } from './bind-task.ts';
import { type InferenceInput, inferTask } from './infer-task.ts';

const rowsOf = (...all: readonly JsonObject[]): Row[] => all.map((fields, index) => ({ id: `r${index}`, fields }));

function infer(rows: readonly Row[], options: Partial<InferenceInput> = {}) {
  const { definition, notes } = inferTask({ name: 'mine', dataset: './mine.jsonl', rows, ...options });
  const task = bindTask(definition, { rows, protocol: 'native', seed: 1, classNames: options.classNames });
  return { definition, notes, task, facts: task.prepare(rows[0]!, { protocol: 'native', chat: false, generation: {} }).facts };
}

const reviews = rowsOf(
  { text: 'I love it', label: 'pos' },
  { text: 'I hate it', label: 'neg' },
  { text: 'Fine by me', label: 'pos' },
  { text: 'Never again', label: 'neg' },
);

describe('types by columns', () => {
  test.each([
    [{ question: 'q', choices: ['a', 'b'], answer: 1 }, 'multiple_choice', 'b'],
    [{ question: 'q', options: { text: ['a', 'b'], label: ['1', '2'] }, answer: 'B' }, 'multiple_choice', 'b'],
    [{ question: 'q', choices: { text: ['a', 'b'], label: ['1', '2'] }, answerKey: '2' }, 'multiple_choice', 'b'],
    [
      {
        question: 'q',
        choices: [
          { text: 'a', label: 'B' },
          { text: 'b', label: 'A' },
        ],
        answer: 'A',
      },
      'multiple_choice',
      'b',
    ],
    [{ question: 'q', A: 'x', B: 'y', C: 'z', answer: 'C' }, 'multiple_choice', 'z'],
    [{ question: 'q', option_a: 'x', option_b: 'y', answer: 'A' }, 'multiple_choice', 'x'],
    [{ question: 'q', answer: '42' }, 'qa', '42'],
    [{ question: 'q', context: 'c', answers: ['42', 'forty-two'] }, 'qa', '42'],
    [{ question: 'q', answers: { text: ['42'], answer_start: [3] }, context: 'c' }, 'qa', '42'],
    [{ document: 'd', summary: 's' }, 'summarization', 's'],
    [{ article: 'd', highlights: 's' }, 'summarization', 's'],
    [{ text: 't', label: 'pos' }, 'classification', 'pos'],
    [{ prompt: 'p', expected: 'e' }, 'qa', 'e'],
    [
      { id: '1', prompt: 'Q?\nA) x\nB) y\nC) z', expected: 'C', task_type: 'multiple_choice', category: 'c', metadata: {} },
      'multiple_choice',
      'C',
    ],
    [{ prompt: 'Q?\nA) x\nB) y', expected: 'B' }, 'multiple_choice', 'B'],
    [{ prompt: 'p', expected: 'positive', task_type: 'classification' }, 'classification', 'positive'],
    [{ prompt: 'p', expected: 's', task_type: 'summarization' }, 'summarization', 's'],
    [{ frage: 'q', antwort: 'a' }, undefined, undefined],
  ])('%j', (fields, type, label) => {
    if (type === undefined) {
      expect(() => infer(rowsOf(fields))).toThrow('cannot tell which column holds the input among: frage, antwort');
      return;
    }
    const { definition, facts } = infer(rowsOf(fields));
    expect(definition.type).toBe(type);
    expect(facts.label).toBe(label);
  });

  test('text alone is language modelling', () => {
    expect(infer(rowsOf({ text: 'some text' })).definition).toMatchObject({ type: 'language_modelling', kind: 'perplexity' });
  });

  test('recurring short answers are classes', () => {
    const rows = rowsOf(...['yes', 'no', 'yes', 'no'].map((target, index) => ({ input: `i${index}`, target })));
    expect(infer(rows).definition).toMatchObject({ type: 'classification', labels: ['no', 'yes'] });
  });
});

describe('options as a map from label to text', () => {
  test.each([
    [{ '1': 'four', '2': 'three' }, '1', 'four'],
    [{ '1': 'four', '2': 'three' }, 2, 'three'],
    [{ B: 'four', A: 'three' }, 'B', 'four'],
    [{ B: 'four', A: 'three' }, 'a', 'three'],
    [{ A: 'three', C: 'four' }, 'C', 'four'],
    [{ A: 'three', B: null, C: 'four' }, 'C', 'four'],
    [{ A: 'three', C: 'four' }, 'four', 'four'],
    [{ A: 'three', B: 'four' }, 1, 'four'],
    ['{"B":"four","A":"three"}', 'B', 'four'],
  ])('%j: the answer %j is "%s"', (choices, answer, label) => {
    expect(infer(rowsOf({ question: '2+2?', choices, answer })).facts.label).toBe(label);
  });

  test.each([
    [{ '1': 'four', '2': 'three' }, '0'],
    [{ '1': 'four', '2': 'three' }, 'B'],
    [{ B: 'four', A: 'three' }, 1],
  ])('%j: the answer %j names no label', (choices, answer) => {
    expect(() => infer(rowsOf({ question: '2+2?', choices, answer }))).toThrow('not among the labels');
  });
});

test('labels come from the data, from the dataset, or from the user', () => {
  expect(infer(reviews).definition.labels).toEqual(['neg', 'pos']);
  const numbered = rowsOf({ text: 'a', label: 0 }, { text: 'b', label: 1 });
  const named = infer(numbered, { classNames: { label: ['bad', 'good'] } });
  expect(named.definition.labels).toEqual(['bad', 'good']);
  expect(named.facts.label).toBe('bad');
  expect(infer(reviews, { labels: ['pos', 'neg', 'neutral'] }).definition.labels).toHaveLength(3);
});

test('says what it inferred', () => {
  expect(infer(reviews).notes).toEqual([
    'task type: classification (generate)',
    'columns: input "text", answer "label"',
    'labels: neg, pos',
    'metrics: accuracy, f1, mcc, shown: accuracy',
  ]);
});

describe('the user wins', () => {
  const rows = rowsOf({ frage: 'Wo?', antwort: 'hier', 'noch was': 'x' });

  test('columns and type by flag', () => {
    const { definition, facts } = infer(rows, { columns: { question: 'frage', answer: 'antwort' }, type: 'qa' });
    expect(definition.type).toBe('qa');
    expect(facts).toMatchObject({ instruction: 'Question: Wo?\nAnswer:', label: 'hier' });
    expect(infer(rows, { columns: { input: 'noch was', target: 'antwort' } }).facts.instruction).toContain('x');
  });

  test('an own prompt and own metrics', () => {
    const { definition, facts } = infer(rows, {
      columns: { target: 'antwort' },
      prompt: 'F: {{frage}}',
      metrics: ['contains'],
      type: 'qa',
    });
    expect(facts.instruction).toBe('F: Wo?');
    expect(definition.primaryMetric).toBe('contains');
  });

  test.each([
    [{ columns: { question: 'frag', answer: 'antwort' } }, 'there is no column "frag" for the input'],
    [{ columns: { qestion: 'frage' } }, 'unknown column role "qestion"'],
    [{ columns: { question: 'frage' } }, 'cannot tell which column holds the answer among: antwort, noch was'],
    [{ columns: { question: 'frage', answer: 'antwort' }, type: 'qaa' }, 'unknown task type "qaa"'],
  ])('%j fails', (options, message) => {
    expect(() => infer(rows, options)).toThrow(message);
  });
});
