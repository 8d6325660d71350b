// Logs of other tools: what lm-evaluation-harness itself computed from them is what comes out.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { scorePredictions } from './score-predictions.ts';

const folder = mkdtempSync(join(tmpdir(), 'slmbench score ü '));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function score(lines: readonly (object | string)[], metrics: readonly string[], options: object = {}) {
  const file = join(folder, `${Math.random()}.jsonl`);
  writeFileSync(file, lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n'));
  const { values } = await scorePredictions({ file, metrics, columns: {}, seed: 1, ...options });
  return Object.fromEntries(values.map((value) => [`${value.name}${value.average === null ? '' : `:${value.average}`}`, value.value]));
}

function choiceLog(id: number, target: number, options: Readonly<Record<string, number>>, asList = false) {
  const texts = Object.keys(options);
  const pairs = texts.map((text) => ['Question: q\nAnswer:', ` ${text}`]);
  const named = Object.fromEntries(pairs.map(([context, text], index) => [`gen_args_${index}`, { arg_0: context, arg_1: text }]));
  const filtered = texts.map((text) => [String(options[text]), 'False']);
  return {
    doc_id: id,
    doc: {},
    target,
    arguments: asList ? pairs : named,
    resps: filtered.map((one) => [one]),
    filtered_resps: filtered,
    filter: 'none',
  };
}

test.each([false, true])('options are scored with and without their length (arguments as a list: %s)', async (asList) => {
  const log = [choiceLog(0, 0, { a: -1.5, b: -2.5 }, asList), choiceLog(1, 1, { a: -1.5, bbb: -2.5 }, asList)];
  expect(await score(log, ['acc', 'acc_norm'])).toMatchObject({ acc: 0.5, acc_norm: 1 });
});

test('unconditional scores after the conditional ones give mutual information', async () => {
  const log = choiceLog(0, 0, { a: -2, b: -1 });
  const all = {
    ...log,
    arguments: [...Object.values(log.arguments).map((one) => Object.values(one)), ['', ' a'], ['', ' b']],
    filtered_resps: [...log.filtered_resps, [-5, false], [-1, false]],
  };
  expect(await score([all], ['acc', 'acc_mutual_info'])).toMatchObject({ acc: 0, acc_mutual_info: 1 });
});

test('several true options of TruthfulQA mc2', async () => {
  const log = { ...choiceLog(0, 0, { a: Math.log(0.5), b: Math.log(0.3), c: Math.log(0.2) }), doc: { mc2_targets: { labels: [1, 0, 1] } } };
  expect((await score([log], ['mc2']))['mc2']).toBeCloseTo(0.7, 9);
});

const generated = (id: number, filter: string, answer: string) => ({
  doc_id: id,
  target: '4',
  resps: [['x 4']],
  filtered_resps: [answer],
  filter,
});

test('two readings of one answer are never mixed', async () => {
  const log = [generated(0, 'strict-match', '[invalid]'), generated(0, 'flexible-extract', '4')];
  await expect(score(log, ['exact_match'])).rejects.toMatchObject({ code: 'usage', message: expect.stringContaining('2 readings') });
  expect(await score(log, ['exact_match'], { filter: 'strict-match' })).toMatchObject({ exact_match: 0 });
  expect(await score(log, ['exact_match'], { filter: 'flexible-extract' })).toMatchObject({ exact_match: 1 });
  await expect(score(log, ['exact_match'], { filter: 'strict' })).rejects.toMatchObject({ code: 'not-found' });
});

test('prediction files of LMTask: answers outside the labels are invalid and add no class', async () => {
  const rows = [
    { index: 0, label: 'positive', prediction: 'positive' },
    { index: 1, label: 'negative', prediction: 'positive' },
    { index: 2, label: 'neutral', prediction: 'I think neutral' },
    { index: 3, label: 'neutral', prediction: null },
  ];
  const labels = ['positive', 'negative', 'neutral'];
  expect(await score(rows, ['accuracy', 'coverage'], { labels })).toMatchObject({ accuracy: 0.25, coverage: 0.5 });
});

test('an empty gold is named and left out of every mean: it never matches an empty answer', async () => {
  const lines = [
    { label: 'a', prediction: 'a' },
    { label: '', prediction: '' },
    { label: null, prediction: 'b' },
    { reference: [' ', ''], prediction: ' ' },
    { reference: ['', 'c'], prediction: 'x' },
  ];
  const file = join(folder, 'blank.jsonl');
  writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
  const { rows, leftOut, values } = await scorePredictions({ file, metrics: ['accuracy', 'exact_match'], columns: {}, seed: 1 });
  expect(rows).toBe(2);
  expect(leftOut).toEqual([{ reason: 'empty gold', rows: 3, lines: [2, 3, 4] }]);
  for (const value of values) expect(value).toMatchObject({ value: 0.5, n: 2 });
  expect(
    await score(
      [
        { label: '', prediction: '' },
        { label: 'a', prediction: '' },
      ],
      ['accuracy'],
      { labels: ['', 'a'] },
    ),
  ).toMatchObject({
    accuracy: 0,
  });
  await expect(score([lines[1]!], ['accuracy'])).rejects.toMatchObject({ code: 'data', message: expect.stringContaining('empty gold') });
});

test('lists of labels are sets for metrics of several labels, and refused by metrics of one', async () => {
  const rows = [
    { label: ['a', 'b'], prediction: ['b', 'a'] },
    { label: ['b'], prediction: ['b'] },
  ];
  expect(await score(rows, ['multilabel_f1', 'subset_accuracy'])).toMatchObject({ 'multilabel_f1:micro': 1, subset_accuracy: 1 });
  expect(await score(rows, ['multilabel_f1'], { labels: ['a', 'b'] })).toMatchObject({ 'multilabel_f1:macro': 1 });
  for (const metric of ['f1', 'accuracy', 'mcc'])
    await expect(score(rows, [metric])).rejects.toMatchObject({ code: 'usage', hint: expect.stringContaining('multilabel_f1') });
});

test.each([
  [['accuracy'], { labels: ['pos', 'neg'] }, 'neu', 'line 2: gold "neu" is not among the declared labels pos, neg'],
  [['multilabel_f1'], { labels: ['pos', 'neg'] }, ['pos', 'neu'], 'line 2: gold "neu" is not among'],
  [['numeric'], {}, 'abc', 'line 2: gold "abc" is no number, which numeric needs'],
  [['mae'], {}, 'abc', 'line 2: gold "abc" is no number, which mae needs'],
])('gold that %j cannot use is bad input', async (metrics, options, label, message) => {
  const first = { label: metrics[0] === 'numeric' || metrics[0] === 'mae' ? '1' : 'pos', prediction: '1' };
  await expect(score([first, { label, prediction: '1' }], metrics, options)).rejects.toMatchObject({
    code: 'data',
    message: expect.stringContaining(message),
  });
});

test.each([
  [['accuracy'], { labels: ['a', 'b'] }, ['a', 'c', null], 'a', 2],
  [['accuracy'], {}, ['a', 'c', null], 'a', 1],
  [['numeric'], {}, ['3', 'about three', null], '3', 2],
  [['mae'], {}, ['3', '4', null], '3', 1],
])('%j counts predictions that it cannot use', async (metrics, options, predictions, label, expected) => {
  const file = join(folder, 'invalid.jsonl');
  writeFileSync(file, predictions.map((prediction) => JSON.stringify({ label, prediction })).join('\n'));
  const { invalid } = await scorePredictions({ file, metrics, columns: {}, seed: 1, ...options });
  expect(invalid).toEqual({ rows: expected, rate: expected / 3 });
});

test.each([
  [['{"label": "a"'], 'data', ':1: not JSON'],
  [['[1]'], 'data', 'expected a JSON object'],
  [[''], 'data', 'no rows'],
  [[{ label: 'a' }], 'data', 'no prediction'],
  [[{ prediction: 'a' }], 'data', 'no label'],
])('%j is told with what and where', async (lines, code, message) => {
  await expect(score(lines as string[], ['accuracy'])).rejects.toMatchObject({ code, message: expect.stringContaining(message) });
});
