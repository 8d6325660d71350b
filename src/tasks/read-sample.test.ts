// Reading answers: ties, missing values, truncation, reasoning and refusals stay apart; nothing is guessed.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Row } from '../core/dataset.ts';
import { type ChoiceScore, type Generation, noTiming, noUsage, type RollingResult, type ScoreResult } from '../core/generation.ts';
import { bindTask } from './bind-task.ts';
import { defineTask } from './define-task.ts';
import { findTask } from './registry.ts';

const context = { protocol: 'native', chat: false, generation: {} } as const;
const rows: Row[] = [
  { id: 'r0', fields: { question: 'q', choices: { text: ['Rome', 'Paris', 'Oslo'], label: ['A', 'B', 'C'] }, answerKey: 'B' } },
];
const scores = (...logprobs: readonly number[]): ScoreResult => ({
  choices: logprobs.map((logprob): ChoiceScore => ({ logprob, tokens: 2, greedy: false })),
  usage: noUsage,
  timing: noTiming,
  warnings: [],
});
const generation = (text: string, more: Partial<Generation> = {}): Generation => ({
  text,
  finishReason: 'stop',
  usage: noUsage,
  timing: noTiming,
  warnings: [],
  ...more,
});

function readScores(result: ScoreResult) {
  const task = bindTask(findTask('arc-easy').definition, { rows, protocol: 'native', seed: 1 });
  return task.read(task.prepare(rows[0]!, context), { kind: 'score', result }, rows[0]!);
}

function readLetter(result: Generation) {
  const task = bindTask(findTask('arc-easy').definition, { rows, protocol: 'native', seed: 1, requestKind: 'choose-letter' });
  return task.read(task.prepare(rows[0]!, context), { kind: 'generate', result }, rows[0]!);
}

describe('log-likelihoods', () => {
  test('the highest wins', () => {
    expect(readScores(scores(-3, -1, -2))).toMatchObject({
      prediction: 'Paris',
      predictedIndex: 1,
      outcome: { kind: 'scored' },
      warnings: [],
    });
  });

  test('a tie keeps the first and is named', () => {
    expect(readScores(scores(-3, -1, -1))).toMatchObject({
      predictedIndex: 1,
      warnings: ['tie: 2 options share the highest log-likelihood'],
    });
  });

  test.each([Number.NaN, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY])('%d is an error, never a score', (bad) => {
    expect(readScores(scores(-3, bad, -1))).toMatchObject({
      prediction: null,
      outcome: { kind: 'error', message: 'no log-probability for "Paris"' },
    });
  });

  test('a missing choice is an error', () => {
    expect(readScores(scores(-3, -1)).outcome).toEqual({ kind: 'error', class: 'backend', message: 'no log-probability for "Oslo"' });
  });

  test('an empty continuation is skipped', () => {
    const result = scores(-3, 0, -1);
    const choices = result.choices.map((choice, index) => (index === 1 ? { ...choice, tokens: 0 } : choice));
    expect(readScores({ ...result, choices }).outcome).toEqual({ kind: 'skipped', reason: 'empty continuation: "Paris"' });
  });

  test('any finite values give the index of a maximum', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ max: 0, noNaN: true, noDefaultInfinity: true }), { minLength: 3, maxLength: 3 }), (values) => {
        expect(readScores(scores(...values)).predictedIndex).toBe(values.indexOf(Math.max(...values)));
      }),
    );
  });
});

describe('generated letters', () => {
  test.each([
    ['B', {}, 'B'],
    ['The answer is (B).', {}, 'B'],
    ['Paris', {}, 'B'],
  ])('%j is %s', (text, more, letter) => {
    expect(readLetter(generation(text, more))).toMatchObject({ prediction: letter, predictedIndex: 1, outcome: { kind: 'scored' } });
  });

  test.each([
    ['', { finishReason: 'length' as const }, 'truncated'],
    ['Let us see which city', { finishReason: 'length' as const }, 'truncated'],
    ['<think>maybe B', { finishReason: 'stop' as const }, 'thinking-only'],
    ['', { reasoning: 'The answer is B', finishReason: 'length' as const }, 'truncated'],
    ['', { reasoning: 'The answer is B' }, 'thinking-only'],
    ['', {}, 'empty'],
    ['B', { finishReason: 'content-filter' as const }, 'refused'],
  ])('%j %j is invalid: %s', (text, more, reason) => {
    const answer = readLetter(generation(text, more));
    expect(answer.prediction).toBeNull();
    expect(answer.outcome).toMatchObject({ kind: 'invalid', reason });
  });

  test('an answer before the cut counts, and says so', () => {
    expect(readLetter(generation('The answer is (B). Because', { finishReason: 'length' })).warnings).toContain(
      'output was cut at the token limit',
    );
  });

  test('never throws on output', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => void readLetter(generation(text))));
  });
});

describe('texts', () => {
  test('code: a bare body continues the stub, a whole function replaces it', () => {
    const row: Row = {
      id: 'h',
      fields: {
        prompt: 'def f(x):\n    """Add one."""\n',
        entry_point: 'f',
        test: 'def check(candidate):\n    assert candidate(1) == 2\n',
      },
    };
    const task = bindTask(findTask('humaneval').definition, { rows: [row], protocol: 'lm-eval', seed: 1 });
    const sample = task.prepare(row, { ...context, protocol: 'lm-eval' });
    expect(sample.facts.extra).toEqual({ entryPoint: 'f', tests: 'def check(candidate):\n    assert candidate(1) == 2\n\n\ncheck(f)\n' });
    const answer = task.read(sample, { kind: 'generate', result: generation('    return x + 1') }, row);
    expect(answer.prediction).toBe('def f(x):\n    """Add one."""\n    return x + 1');
  });

  test('wiki pages: sum and denominators of the original text', () => {
    const row: Row = { id: 'w', fields: { page: ' a @-@ b . \n' } };
    const result: RollingResult = {
      logprob: -4,
      tokens: 3,
      windows: 1,
      windowTokens: 8,
      strideTokens: 8,
      bosPolicy: 'model',
      usage: noUsage,
      timing: noTiming,
      warnings: [],
    };
    const read = (protocol: 'native' | 'lm-eval') => {
      const task = bindTask(findTask('wikitext-2').definition, { rows: [row], protocol, seed: 1 });
      const sample = task.prepare(row, { ...context, protocol });
      expect(sample.request).toMatchObject({ request: { text: ' a-b.\n' } });
      return task.read(sample, { kind: 'rolling', result }, row).rolling;
    };
    expect(read('native')).toEqual({ logprob: -4, tokens: 3, words: 4, bytes: 12 });
    expect(read('lm-eval')).toEqual({ logprob: -4, tokens: 3, words: 6, bytes: 12 });
  });

  test('first line of a short answer', () => {
    const row: Row = { id: 'q', fields: { context: '', question: 'q', answers: ['Rome'] } };
    const task = bindTask(findTask('qa-mini').definition, { rows: [row], protocol: 'native', seed: 1 });
    const sample = task.prepare(row, context);
    expect(sample.facts).toMatchObject({ label: 'Rome', references: ['Rome'] });
    expect(task.read(sample, { kind: 'generate', result: generation(' Rome\nIt is old.') }, row).prediction).toBe('Rome');
  });

  test('several labels are right', () => {
    const row: Row = { id: 'm', fields: { text: 't', labels: ['a', 'c'] } };
    const definition = defineTask({
      name: 'topics',
      title: 'Topics',
      description: 'Several labels.',
      type: 'classification',
      dataset: { name: 'x', split: 'test' },
      kind: 'generate',
      prompt: '{{text}}',
      labels: ['a', 'b', 'c'],
      gold: { column: 'labels' },
      parser: { kind: 'multi-label' },
      metrics: ['multilabel_f1'],
      primaryMetric: 'multilabel_f1',
    });
    const task = bindTask(definition, { rows: [row], protocol: 'native', seed: 1 });
    const sample = task.prepare(row, context);
    expect(sample.facts.references).toEqual(['a', 'c']);
    expect(task.read(sample, { kind: 'generate', result: generation('a, c') }, row).predictions).toEqual(['a', 'c']);
  });
});
