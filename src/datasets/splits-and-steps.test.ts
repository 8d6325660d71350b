import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Row } from '../core/dataset.ts';
import { leakReport } from './leak-report.ts';
import { rowId } from './make-split.ts';
import { selectRows } from './select-rows.ts';
import { applySteps } from './steps.ts';
import { stratifiedSplit } from './stratified-split.ts';

const row = (fields: Row['fields']): Row => ({ id: rowId(fields), fields });
const many = (count: number, labels: readonly string[]) =>
  Array.from({ length: count }, (_, index) => row({ text: `text number ${index}`, label: labels[index % labels.length]! }));

test('splits are disjoint, of the exact sizes, and cover the rest, at any sizes and seeds', () => {
  const sizes = fc.tuple(
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 1, max: 40 }),
    fc.integer({ min: 1, max: 60 }),
    fc.integer(),
    fc.integer({ min: 1, max: 5 }),
  );
  fc.assert(
    fc.property(sizes, ([test, validation, train, seed, classes]) => {
      const rows = many(test + validation + train, ['a', 'b', 'c', 'd', 'e'].slice(0, classes));
      const { splits, manifest } = stratifiedSplit(rows, { sizes: { train: 'rest', validation, test }, by: 'label', seed });
      expect([splits['train']!.length, splits['validation']!.length, splits['test']!.length]).toEqual([train, validation, test]);
      expect(new Set(Object.values(splits).flatMap((part) => part.map((item) => item.id))).size).toBe(rows.length);
      expect(manifest.splits['test']!.ids.length).toBe(test);
    }),
  );
});

test('class shares: 303/1391/570 rows and two holdouts of 256 give the counts of splitting a stratified holdout in two', () => {
  const labels = [...Array(303).fill('negative'), ...Array(1391).fill('neutral'), ...Array(570).fill('positive')] as string[];
  const rows = labels.map((label, index) => row({ text: `sentence ${index}`, label }));
  const { manifest } = stratifiedSplit(rows, { sizes: { train: 'rest', validation: 256, test: 256 }, by: 'label', seed: 0 });
  expect(manifest.splits['test']!.classCounts).toEqual({ negative: 34, neutral: 158, positive: 64 });
  expect(manifest.splits['validation']!.classCounts).toEqual({ negative: 34, neutral: 157, positive: 65 });
  expect(manifest.splits['train']!.ids.length).toBe(1752);
});

test('the split depends on content and seed, not on the order of the data; seed 0 is a seed', () => {
  const rows = many(30, ['a', 'b']);
  const ids = (list: readonly Row[], seed: number) =>
    stratifiedSplit(list, { sizes: { train: 'rest', test: 10 }, by: 'label', seed })
      .splits['test']!.map((item) => item.id)
      .sort();
  expect(ids(rows, 0)).toEqual(ids([...rows].reverse(), 0));
  expect(ids(rows, 0)).not.toEqual(ids(rows, 1));
});

test('copies of a text are on one side; impossible and empty sizes are errors', () => {
  const rows = ['q1', 'Q1 ', 'q2', 'q3'].map((text, index) => ({ id: String(index), fields: { text } }));
  for (let seed = 0; seed < 20; seed++) {
    const { splits } = stratifiedSplit(rows, { sizes: { train: 'rest', test: 1 }, seed });
    expect(splits['test']!.some((item) => item.id === '0' || item.id === '1')).toBe(false);
  }
  expect(() => stratifiedSplit(rows, { sizes: { train: 4, test: 1 }, seed: 1 })).toThrow(expect.objectContaining({ code: 'data' }));
  expect(() => stratifiedSplit(rows, { sizes: { train: 'rest', test: 0.1 }, seed: 1 })).toThrow(expect.objectContaining({ code: 'data' }));
  expect(() => stratifiedSplit(rows.slice(0, 2), { sizes: { train: 'rest', test: 1 }, seed: 1 })).toThrow('copies');
});

test('a sample is seeded, independent of order and nested; a prefix is the first rows', () => {
  const rows = many(100, ['a']);
  const ids = (list: readonly Row[], sample: number, seed = 42) => selectRows(list, { sample, seed }).rows.map((item) => item.id);
  expect(ids(rows, 10)).toEqual(ids(rows, 10));
  expect(ids([...rows].reverse(), 10).sort()).toEqual(ids(rows, 10).sort());
  expect(ids(rows, 20)).toEqual(expect.arrayContaining(ids(rows, 10)));
  expect(ids(rows, 10, 1)).not.toEqual(ids(rows, 10, 2));
  expect(selectRows(rows, { sample: 100 }).selection).toBe('all');
  expect(selectRows(rows, { limit: 3 })).toEqual({ rows: rows.slice(0, 3), selection: 'prefix' });
});

test('a planted exact and a planted near duplicate are found, other rows are not', () => {
  const train = [
    ...many(50, ['x']).map((item) => row({ text: `${item.fields['text']} about gardening and the weather in spring` })),
    row({ text: 'What is  2+2?' }),
  ];
  const near = 'The quick brown fox jumps over the lazy dog near the river bank at noon';
  const report = leakReport({
    train: [...train, row({ text: near })],
    test: [
      row({ text: 'what is 2+2?' }),
      row({ text: `${near}!!` }),
      row({ text: `${near} on Monday` }),
      row({ text: 'something else entirely' }),
    ],
  });
  expect(report.exact).toBe(1);
  expect(report.near).toBe(2);
  expect(report.leakedIds['test']!.length).toBe(3);
});

test('steps: rename, map, filter, select, dedupe, shuffle, limit, balance, add_id', () => {
  const rows = [
    row({ Satz: 'Gut.', y: 'pos' }),
    row({ Satz: 'gut.', y: 'pos' }),
    row({ Satz: 'Schlecht', y: 'neg' }),
    row({ Satz: 'Naja', y: 'neutral' }),
    row({ Satz: 'Toll {{ y }}', y: 'pos' }),
  ];
  const { rows: result, notes } = applySteps(rows, [
    { rename: { Satz: 'text' } },
    { filter: 'y != "neutral"' },
    { dedupe: { by: ['text'] } },
    { map: { label: '{% if y == "pos" %}positive{% else %}negative{% endif %}', shown: '>{{ text }}<' } },
    { balance: { by: 'label', method: 'oversample', seed: 1 } },
    { shuffle: { seed: 3 } },
    { select: ['text', 'label', 'shown'] },
    { add_id: {} },
    { limit: 4 },
  ]);
  expect(result.map((item) => item.fields['label']).sort()).toEqual(['negative', 'negative', 'positive', 'positive']);
  expect(result.find((item) => item.fields['text'] === 'Toll {{ y }}')!.fields['shown']).toBe('>Toll {{ y }}<');
  expect(new Set(result.map((item) => item.id)).size).toBe(4);
  expect(result[0]!.fields['id']).toBe(result[0]!.id);
  expect(notes).toEqual(['filter: 5 rows -> 4', 'dedupe: 4 rows -> 3', 'balance: 3 rows -> 4']);
});

test('bad steps say what is wrong and the nearest name', () => {
  const rows = [row({ text: 'a' })];
  expect(() => applySteps(rows, [{ fliter: 'x' } as never])).toThrow(
    expect.objectContaining({ code: 'config', hint: 'did you mean "filter"?' }),
  );
  expect(() => applySteps(rows, [{ select: ['txt'] }])).toThrow(expect.objectContaining({ code: 'data', hint: 'did you mean "text"?' }));
  expect(() => applySteps(rows, [{ filter: 'text == "b"' }])).toThrow('leaves no row');
  expect(() => applySteps(rows, [{ map: { x: '{{ txet }}' } }])).toThrow(expect.objectContaining({ code: 'template' }));
  expect(() => applySteps(rows, [{ filter: "constructor.constructor('return 1')()" }])).toThrow();
});

test('balancing gives equal classes whatever the sizes', () => {
  const shape = fc.tuple(
    fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 60 }),
    fc.constantFrom('oversample' as const, 'undersample' as const),
    fc.integer(),
  );
  fc.assert(
    fc.property(shape, ([labels, method, seed]) => {
      const rows = labels.map((label, index) => row({ index, label }));
      const result = applySteps(rows, [{ balance: { by: 'label', method, seed } }]).rows;
      const counts = Object.values(Object.groupBy(result, (item) => String(item.fields['label']))).map((group) => group!.length);
      expect(new Set(counts).size).toBe(1);
      expect(new Set(result.map((item) => item.id)).size).toBe(result.length);
    }),
  );
});
