// Row transforms on odd rows; their lm-eval forms are proven in test/golden/tasks.
import { describe, expect, test } from 'vitest';
import { capitalise } from '../python-capitalise.ts';
import { applyTransform } from './apply-transform.ts';
import { lastBoxed } from './math.ts';
import { transformNames } from './transform-names.ts';
import { detokenise } from './wikitext.ts';

test('capitalise as Python does', () => {
  expect(['heLLO', 'ßA', 'ǆX', 'éTÉ', 'ﬁX', '', '1A', '🙂A'].map(capitalise)).toEqual([
    'Hello',
    'Ssa',
    'ǅx',
    'Été',
    'Fix',
    '',
    '1a',
    '🙂a',
  ]);
});

test('HellaSwag: no left-over spaces in the native form', () => {
  const fields = { activity_label: 'A', ctx_a: '[header] How   to [title] x', ctx_b: 'the END', endings: [' [step] go   on. ', 'b'] };
  expect(applyTransform('hellaswag', fields)).toMatchObject({ query: 'A: How to. x The end', choices: ['go on.', 'b'] });
  expect(applyTransform('hellaswag-lm-eval', fields)['choices']).toEqual([' go  on.', 'b']);
});

test('WinoGrande without a blank is an error', () => {
  expect(() => applyTransform('winogrande', { sentence: 'no blank', option1: 'a', option2: 'b' })).toThrow('has no blank');
});

test('COPA: an unknown question is an error', () => {
  expect(() => applyTransform('copa', { premise: 'x.', question: 'why', choice1: 'A', choice2: 'B' })).toThrow('COPA question is "why"');
});

test('DROP: numbers, dates, spans, distinct answers', () => {
  const empty = { number: '', date: { day: '', month: '', year: '' }, spans: [] };
  const row = {
    answer: { ...empty, spans: ['a', 'b'] },
    validated_answers: { number: ['3', ''], date: [empty.date, { day: '1', month: 'May', year: '1990' }], spans: [[], []] },
  };
  expect(applyTransform('drop', row)['accepted']).toEqual(['["a","b"]', '3', '1 May 1990']);
});

describe('code tests', () => {
  test.each([
    [
      { test: 'def check(candidate):\n    assert candidate(1)', entry_point: 'f' },
      'f',
      'def check(candidate):\n    assert candidate(1)\n\ncheck(f)\n',
    ],
    [
      { test_list: ['assert g(1) == 2', 'assert g(2) == 3'], test_setup_code: 'import math' },
      'g',
      'import math\nassert g(1) == 2\nassert g(2) == 3',
    ],
    [{ tests: 'assert set(h(1)) == {1}', entryPoint: '' }, 'h', 'assert set(h(1)) == {1}'],
  ])('%j', (fields, entryPoint, tests) => {
    expect(applyTransform('code-tests', fields)).toMatchObject({ entry_point: entryPoint, program_tests: tests });
  });
});

test('the last boxed answer, braces balanced', () => {
  expect(lastBoxed('\\boxed{1} and \\boxed{\\frac{1}{2}}')).toBe('\\frac{1}{2}');
  expect(lastBoxed('\\boxed{open')).toBeUndefined();
  expect(lastBoxed('none')).toBeUndefined();
});

test('BIG-bench options', () => {
  expect(applyTransform('bbh-options', { input: 'Q?\nOptions:\n(A) one\n(B) two', target: '(B)' })).toMatchObject({
    options: ['one', 'two'],
    letter: 'B',
  });
  expect(applyTransform('bbh-options', { input: 'Sort: b a', target: 'a b' })).toMatchObject({ options: [], letter: '' });
});

test('wiki text rules run in order and in bounded time', () => {
  expect(detokenise(' ( a ) , " b " ; c @-@ d = = e = = ')).toBe(' (a), "b"; c-d == e == ');
  const started = performance.now();
  detokenise(' '.repeat(100_000));
  detokenise('('.repeat(100_000));
  expect(performance.now() - started).toBeLessThan(2000);
});

test('no transform fails on an empty row without saying why', () => {
  for (const name of transformNames) {
    try {
      applyTransform(name, {});
    } catch (thrown) {
      expect(thrown).toMatchObject({ code: 'data' });
    }
  }
});
