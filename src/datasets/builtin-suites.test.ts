import { expect, test } from 'vitest';
import type { Row } from '../core/dataset.ts';
import { builtinSuites } from './catalogue/builtin-suites.ts';
import { leakReport } from './leak-report.ts';
import { listDatasets, loadDataset } from './registry.ts';
import { stratifiedSplit } from './stratified-split.ts';

const rowsOf = async (name: string): Promise<readonly Row[]> => {
  const dataset = await loadDataset(name, { offline: true, cacheDirectory: '/nonexistent' });
  return (await dataset.split(dataset.splitNames[0]!)).rows;
};
const countBy = (rows: readonly Row[], column: string) =>
  Object.values(Object.groupBy(rows, (row) => String(row.fields[column]))).map((group) => group!.length);

test.each(builtinSuites.map((suite) => suite.info.name))(
  '%s has at least 40 items without repeats, each with a category or label',
  async (name) => {
    const rows = await rowsOf(name);
    expect(rows.length).toBeGreaterThanOrEqual(40);
    expect(rows.some((row) => row.id.includes('-'))).toBe(false);
    for (const row of rows) expect(row.fields['category'] ?? row.fields['label']).toMatch(/./);
  },
);

test.each(['mmlu-mini', 'commonsense-mini'])('%s: four different options, answer inside, positions even', async (name) => {
  const rows = await rowsOf(name);
  for (const { fields } of rows) {
    const choices = fields['choices'] as string[];
    expect(new Set(choices.map((choice) => choice.toLowerCase())).size).toBe(4);
    expect([0, 1, 2, 3]).toContain(fields['answer']);
  }
  expect(new Set(countBy(rows, 'answer')).size).toBe(1);
});

test('sentiment-mini and intents are balanced', async () => {
  expect(new Set(countBy(await rowsOf('sentiment-mini'), 'label'))).toEqual(new Set([15]));
  const intents = countBy(await rowsOf('intents'), 'label');
  expect([intents.length, new Set(intents).size, intents[0]! >= 60]).toEqual([8, 1, true]);
});

test('qa-mini: answers of reading items stand in the passage or are worked out from it', async () => {
  for (const { fields } of await rowsOf('qa-mini')) {
    const answers = fields['answers'] as string[];
    expect(answers.length).toBeGreaterThan(0);
    const context = String(fields['context']).toLowerCase();
    const isWorkedOut = /in all|which team won|five years ago|leap year|two hours/i.test(String(fields['question']));
    if (context !== '' && !isWorkedOut)
      expect(
        answers.some((answer) => context.includes(answer.toLowerCase())),
        String(fields['question']),
      ).toBe(true);
  }
});

test('random splits of the training set share no exact or near duplicate', async () => {
  const rows = await rowsOf('intents');
  for (const seed of [0, 1, 2]) {
    const { splits } = stratifiedSplit(rows, { sizes: { train: 'rest', validation: 64, test: 96 }, by: 'label', seed });
    expect(leakReport(splits).pairs).toEqual([]);
  }
});

test('listing needs no file and every entry names its licence; real datasets name a citation', () => {
  const list = listDatasets();
  expect(new Set(list.map((info) => info.name)).size).toBe(list.length);
  for (const info of list) {
    expect(info.licence.name, info.name).toMatch(/./);
    if (info.licence.name !== 'MIT' || info.licence.url !== undefined) expect(info.citation, info.name).toMatch(/\d{4}/);
  }
});
