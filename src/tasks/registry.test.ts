// The catalogue as a whole: names, groups, metrics that exist, and clear errors for wrong names.
import { describe, expect, test } from 'vitest';
import { findMetric, listMetrics } from '../metrics/registry.ts';
import { ifevalMetric } from './ifeval/ifeval-metric.ts';
import { findTask, findTasks, groups, listTasks, taskAliases } from './registry.ts';
import { bodyOf } from './task-definition.ts';

const wanted =
  'mmlu mmlu-pro arc-easy arc-challenge hellaswag truthfulqa-mc1 truthfulqa-mc2 truthfulqa-gen winogrande piqa boolq commonsense-qa openbookqa social-iqa sciq ' +
  'lambada gsm8k gsm8k-strict math-500 mgsm svamp bbh drop squad trivia-qa nq-open coqa humaneval mbpp ifeval sst2 financial-phrasebank imdb ag-news rte mrpc cb copa ' +
  'cnn-dailymail xsum dialogsum wikitext-2 mmlu-mini commonsense-mini coding-mini javascript-mini sentiment-mini qa-mini summarisation-mini';

test('the whole standard catalogue is there, each under one name', () => {
  const names = listTasks().map((task) => task.name);
  expect([...names].sort()).toEqual(wanted.split(' ').sort());
  const all = listTasks().flatMap((task) => [task.name, ...task.alsoKnownAs]);
  expect(new Set(all).size).toBe(all.length);
});

test.each(listTasks().map((task) => task.name))('%s: licence, source, citation and known metrics', (name) => {
  const task = findTask(name).definition;
  expect(task.description.length).toBeGreaterThan(10);
  expect(task.source).toBeDefined();
  if (!task.groups.includes('mini')) expect(task.citation).toBeDefined();
  const known = new Set([...listMetrics().map((metric) => metric.name), 'ifeval']);
  const bodies = [bodyOf(task, 'native'), ...(task.variants.lmEval === undefined ? [] : [bodyOf(task, 'lm-eval')])];
  for (const body of bodies) {
    const uses = body.metrics.map((use) => (typeof use === 'string' ? { name: use } : use));
    const values = uses.flatMap(({ name, options }) => {
      expect(known).toContain(name);
      return findMetric(name, [ifevalMetric])
        .create({ seed: 1, labels: body.labels ?? ['no', 'yes'], use: options ?? {} })
        .finish().values;
    });
    const named = values.flatMap((value) => [value.name, `${value.name}:${value.average}`]);
    expect(named).toContain(body.primaryMetric);
  }
});

describe('names', () => {
  test('a part of a task', () => {
    expect(findTask('mmlu:anatomy')).toMatchObject({ category: 'anatomy', definition: { name: 'mmlu' } });
  });

  test('the real task wins an alias; the built-in sample is the fallback', () => {
    for (const [alias, { task, fallback }] of Object.entries(taskAliases)) {
      expect(findTask(alias)).toMatchObject({ definition: { name: task }, fallback: { name: fallback } });
    }
    expect(findTask('arc-easy').fallback).toBeUndefined();
  });

  test('groups', () => {
    expect(
      findTasks('open-llm')
        .map(({ definition }) => definition.name)
        .sort(),
    ).toEqual(['arc-challenge', 'gsm8k', 'hellaswag', 'mmlu', 'truthfulqa-mc2', 'winogrande']);
    expect(() => findTask('open-llm')).toThrow('"open-llm" is a group of 6 tasks');
    expect(groups.every((group) => group.tasks.length > 0)).toBe(true);
  });

  test('typos find the nearest name', () => {
    expect(() => findTask('hellaswga')).toThrow(
      expect.objectContaining({ code: 'not-found', hint: expect.stringContaining('did you mean "hellaswag"?') }),
    );
  });
});
