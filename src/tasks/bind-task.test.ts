// Binding: prompts, gold answers, few-shot draws without leaks, and bad rows named clearly.
import { describe, expect, test } from 'vitest';
import type { Row } from '../core/dataset.ts';
import type { JsonObject } from '../core/json.ts';
import type { ModelRequest, PromptContext } from '../core/task.ts';
import { bindTask } from './bind-task.ts';
import { defineTask } from './define-task.ts';
import { findTask } from './registry.ts';
import type { TaskDefinitionInput } from './task-definition.ts';

const rowsOf = (...all: readonly JsonObject[]): Row[] => all.map((fields, index) => ({ id: `r${index}`, fields }));
const completion: PromptContext = { protocol: 'native', chat: false, generation: {} };
const chat: PromptContext = { protocol: 'native', chat: true, generation: {} };

function textOf(request: ModelRequest): string {
  const prompt = request.kind === 'rolling' ? { kind: 'text' as const, text: request.request.text } : request.request.prompt;
  return prompt.kind === 'text' ? prompt.text : prompt.messages.map((message) => `[${message.role}]${message.content}`).join('');
}

const quiz: TaskDefinitionInput = {
  name: 'quiz',
  title: 'Quiz',
  description: 'Test questions.',
  type: 'multiple_choice',
  dataset: { name: './quiz.jsonl', split: 'test' },
  kind: 'choose',
  prompt: 'Question: {{question}}\nAnswer:',
  question: '{{question}}',
  choices: 'choices',
  gold: { column: 'answer' },
  metrics: ['acc'],
  primaryMetric: 'acc',
};
const questions = (count: number): Row[] =>
  rowsOf(
    ...Array.from({ length: count }, (_, index) => ({ question: `Which is number ${index}?`, choices: ['x', 'y'], answer: index % 2 })),
  );

describe('gold answers', () => {
  const arc = findTask('arc-easy').definition;
  const bindArc = (fields: JsonObject) => bindTask(arc, { rows: rowsOf({ question: 'q', ...fields }), protocol: 'native', seed: 1 });
  const goldOf = (fields: JsonObject) => {
    const task = bindArc(fields);
    return task.prepare(task.rows[0]!, completion).facts;
  };

  test('digits as labels, three and five options', () => {
    expect(goldOf({ choices: { text: ['p', 'q', 'r', 's'], label: ['1', '2', '3', '4'] }, answerKey: '2' })).toMatchObject({
      gold: [1],
      label: 'q',
    });
    expect(goldOf({ choices: { text: ['p', 'q', 'r'], label: ['A', 'B', 'C'] }, answerKey: 'C' }).gold).toEqual([2]);
    expect(goldOf({ choices: { text: ['p', 'q', 'r', 's', 't'], label: ['A', 'B', 'C', 'D', 'E'] }, answerKey: 'E' }).gold).toEqual([4]);
  });

  test('a gold answer outside the labels names the row', () => {
    expect(() => bindArc({ choices: { text: ['p', 'q'], label: ['1', '2'] }, answerKey: '5' })).toThrow(
      'row 1 (id r0): gold answer "5" is no use: not among the labels 1, 2',
    );
  });

  test('a null option is left out', () => {
    const task = bindTask(defineTask(quiz), {
      rows: rowsOf({ question: 'q', choices: ['p', 'q', null], answer: 0 }),
      protocol: 'native',
      seed: 1,
    });
    const { request } = task.prepare(task.rows[0]!, completion);
    expect(request.kind === 'score' && request.request.choices.map((choice) => choice.continuation)).toEqual([' p', ' q']);
  });

  test.each([
    [5, 'gold answer "5" is no use: outside 0..1'],
    [-1, 'outside 0..1'],
    ['', 'empty gold: column "answer" is empty'],
    [null, 'empty gold'],
    [[], 'empty gold'],
    ['C', 'not among the labels A, B nor the options x | y'],
  ])('answer %j fails', (answer, message) => {
    expect(() =>
      bindTask(defineTask(quiz), { rows: rowsOf({ question: 'q', choices: ['x', 'y'], answer }), protocol: 'native', seed: 1 }),
    ).toThrow(message);
  });

  test.each([
    [1, 1],
    ['1', 1],
    ['B', 1],
    ['b', 1],
    ['y', 1],
  ])('answer %j is option %i', (answer, index) => {
    const task = bindTask(defineTask(quiz), { rows: rowsOf({ question: 'q', choices: ['x', 'y'], answer }), protocol: 'native', seed: 1 });
    expect(task.prepare(task.rows[0]!, completion).facts.gold).toEqual([index]);
  });

  test('bad rows are named by their place in the split, not only by their id', () => {
    const good = { question: 'q', choices: ['x', 'y'], answer: 0 };
    const rows = rowsOf(good, { ...good, answer: 7 }, good, { ...good, answer: '' });
    expect(() => bindTask(defineTask(quiz), { rows, protocol: 'native', seed: 1 })).toThrow(/^row 2 \(id r1\): .*; row 4 \(id r3\): /);
  });

  test.each([
    ['["Red, green","b"]', ['Red, green', 'b']],
    [' ["1",\n "2"] ', ['1', '2']],
    ['{"text": ["a", "b"], "label": ["A", "B"]}', ['a', 'b']],
  ])('options written as text, as CSV files have them: %s', (choices, options) => {
    const task = bindTask(defineTask(quiz), { rows: rowsOf({ question: 'q', choices, answer: options[1]! }), protocol: 'native', seed: 1 });
    const { facts, request } = task.prepare(task.rows[0]!, completion);
    expect(facts.gold).toEqual([1]);
    expect(request.kind === 'score' && request.request.choices.map((choice) => choice.continuation.trim())).toEqual(options);
  });

  test('an unknown name in the prompt fails before any sample, with the nearest column', () => {
    const rows = rowsOf({ question: 'q', choices: ['x', 'y'], answer: 0 });
    expect(() => bindTask(defineTask({ ...quiz, prompt: '{{quesion}}' }), { rows, protocol: 'native', seed: 1 })).toThrow(
      expect.objectContaining({
        code: 'template',
        message: expect.stringContaining('unknown variable "quesion"'),
        hint: expect.stringContaining('question'),
      }),
    );
    expect(() =>
      bindTask(defineTask({ ...quiz, prompt: "{{constructor.constructor('return 1')()}}" }), { rows, protocol: 'native', seed: 1 }),
    ).toThrow(expect.objectContaining({ code: 'template' }));
  });

  test("integer class labels take the dataset's names", () => {
    const task = bindTask(
      defineTask({
        ...quiz,
        type: 'classification',
        kind: 'generate',
        choices: undefined,
        gold: { column: 'label' },
        parser: { kind: 'label' },
        prompt: '{{text}}',
        question: undefined,
      }),
      { rows: rowsOf({ text: 't', label: 1 }), protocol: 'native', seed: 1, classNames: { label: ['negative', 'positive'] } },
    );
    expect(task.labels).toEqual(['negative', 'positive']);
    const sample = task.prepare(task.rows[0]!, completion);
    expect(sample.facts.label).toBe('positive');
  });
});

describe('few-shot', () => {
  const definition = defineTask(quiz);
  const pool = rowsOf(...Array.from({ length: 8 }, (_, index) => ({ question: `Pool ${index}?`, choices: ['x', 'y'], answer: 0 }))).map(
    (row) => ({
      ...row,
      id: `p${row.id}`,
    }),
  );

  test('one fixed set for all rows, the same whatever the subset', () => {
    const task = bindTask(definition, { rows: questions(5), fewShotRows: pool, protocol: 'native', shots: 3, seed: 7 });
    expect(task.fewShotIds).toHaveLength(3);
    const heads = task.rows.map((row) => textOf(task.prepare(row, completion).request).split('Question: Which')[0]);
    expect(new Set(heads).size).toBe(1);
    expect(heads[0]!.match(/Answer: x\n\n/gu)).toHaveLength(3);
    const other = bindTask(definition, { rows: questions(5), fewShotRows: pool, protocol: 'native', shots: 3, seed: 8 });
    expect(other.digest).not.toBe(task.digest);
  });

  test('rows that are evaluated never serve as shots, neither by id nor by wording', () => {
    const rows = questions(4);
    const mixed = [
      ...rows,
      { id: 'copy', fields: { question: '  which is NUMBER 0 ', choices: ['x', 'y'], answer: 0 } },
      ...pool.slice(0, 2),
    ];
    for (let seed = 0; seed < 20; seed++) {
      const task = bindTask(definition, { rows, fewShotRows: mixed, protocol: 'native', shots: 2, seed });
      expect([...task.fewShotIds].sort()).toEqual(['pr0', 'pr1']);
    }
  });

  test('with one split only, no prompt holds its own row', () => {
    const rows = questions(3);
    for (let seed = 0; seed < 20; seed++) {
      const task = bindTask(definition, { rows, protocol: 'native', shots: 2, seed });
      for (const row of rows) {
        const text = textOf(task.prepare(row, completion).request);
        expect(text.split(String(row.fields['question'])).length).toBe(2);
      }
      expect(task.notes[0]).toContain('evaluated split');
    }
  });

  test('too few examples is a clear error', () => {
    expect(() => bindTask(definition, { rows: questions(2), protocol: 'native', shots: 2, seed: 1 })).toThrow(
      'not enough examples for 2-shot prompts of "quiz"',
    );
    expect(() => bindTask(definition, { rows: questions(2), fewShotRows: [], protocol: 'native', shots: 1, seed: 1 })).toThrow(
      'not enough examples',
    );
  });

  test('chat: shots are turns of their own, or one user message', () => {
    const bind = (flatShots: boolean) =>
      bindTask(definition, { rows: questions(1), fewShotRows: pool.slice(0, 1), protocol: 'native', shots: 1, seed: 1, flatShots });
    const [turns, flat] = [bind(false), bind(true)].map((task) => task.prepare(task.rows[0]!, chat).request);
    expect(textOf(turns!)).toBe('[user]Question: Pool 0?\nAnswer:[assistant]x[user]Question: Which is number 0?\nAnswer:');
    expect(textOf(flat!)).toBe('[user]Question: Pool 0?\nAnswer: x\n\nQuestion: Which is number 0?\nAnswer:');
    expect(turns!.kind === 'score' && turns!.request.choices[0]!.continuation).toBe('x');
  });

  test('a locked number of shots cannot be changed', () => {
    const locked = defineTask({ ...quiz, fewShot: { locked: true } });
    expect(() => bindTask(locked, { rows: questions(2), fewShotRows: pool, protocol: 'native', shots: 2, seed: 1 })).toThrow(
      'defined with 0 shots',
    );
  });
});

describe('generated letters', () => {
  test('options are listed, shots answer with letters, the letter is the label', () => {
    const rows = questions(2);
    const task = bindTask(defineTask(quiz), {
      rows,
      fewShotRows: [{ id: 'p', fields: { question: 'P', choices: ['u', 'v'], answer: 1 } }],
      protocol: 'native',
      shots: 1,
      seed: 1,
      requestKind: 'choose-letter',
    });
    const sample = task.prepare(rows[1]!, completion);
    expect(textOf(sample.request)).toBe('P\nA. u\nB. v\nAnswer: B\n\nWhich is number 1?\nA. x\nB. y\nAnswer:');
    expect(sample.facts).toMatchObject({ label: 'B', gold: [1] });
    expect(textOf(task.prepare(rows[0]!, chat).request)).toContain('Reply with the letter of the right answer only.');
  });

  test('a fixed right place is shuffled by row id', () => {
    const sciq = findTask('sciq').definition;
    const rows = rowsOf(
      ...Array.from({ length: 40 }, (_, index) => ({
        support: '',
        question: `q${index}`,
        distractor1: 'a',
        distractor2: 'b',
        distractor3: 'c',
        correct_answer: 'd',
      })),
    );
    const task = bindTask(sciq, { rows, protocol: 'native', seed: 1, requestKind: 'choose-letter' });
    expect(new Set(rows.map((row) => task.prepare(row, completion).facts.label)).size).toBe(4);
  });
});

test("settings: the task's defaults, then the user's", () => {
  const task = bindTask(
    defineTask({
      ...quiz,
      type: 'qa',
      kind: 'generate',
      choices: undefined,
      gold: undefined,
      target: '{{question}}',
      stop: ['\n'],
      generation: { maxTokens: 9 },
      metrics: ['exact_match'],
      primaryMetric: 'exact_match',
    }),
    {
      rows: questions(1),
      protocol: 'native',
      seed: 1,
    },
  );
  const settings = (context: PromptContext) => {
    const { request } = task.prepare(task.rows[0]!, context);
    return request.kind === 'generate' ? request.request.settings : undefined;
  };
  expect(settings(completion)).toMatchObject({ maxTokens: 9, stop: ['\n'], temperature: 0 });
  expect(settings({ ...completion, generation: { maxTokens: 3, stop: [] } })).toMatchObject({ maxTokens: 3, stop: [] });
});

test('no rows, unknown categories and impossible kinds are explained', () => {
  const definition = defineTask({ ...quiz, category: 'topic' });
  const rows = rowsOf({ question: 'q', choices: ['x', 'y'], answer: 0, topic: 'anatomy' });
  expect(() => bindTask(definition, { rows: [], protocol: 'native', seed: 1 })).toThrow('has no rows');
  expect(() => bindTask(definition, { rows, protocol: 'native', seed: 1, category: 'anatomi' })).toThrow('no category "anatomi"');
  expect(bindTask(definition, { rows, protocol: 'native', seed: 1, category: 'Anatomy' }).key).toBe('quiz:Anatomy');
  expect(() => bindTask(definition, { rows, protocol: 'lm-eval', seed: 1 })).toThrow('lm-evaluation-harness has no task "quiz"');
  expect(() => bindTask(definition, { rows, protocol: 'native', seed: 1, requestKind: 'generate' })).toThrow(
    'cannot be asked by "generate"',
  );
});
