import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fromLmtaskRecord } from '../../app/specialise/import-lmtask.ts';
import { pythonFloat, score } from './benchmark-cells.ts';
import { indexDrift, indexEnd, indexStart, indexTable, writeIndex } from './index-table.ts';
import { mergedCsv, mergedLatex, mergedMarkdown, mergeRecords } from './merge-table.ts';
import { mergedHtml } from './merged-html.ts';
import { renderBenchmark } from './render-benchmark.ts';

function record(overrides: { readonly name?: string; readonly model?: string; readonly invalid?: number; readonly label?: string } = {}) {
  const { name = 'fpb_a', model = 'Model A', invalid = 0, label = 'positive' } = overrides;
  return fromLmtaskRecord({
    name,
    task_name: 'Bank',
    model_name: model,
    created: '2026-01-01T00:00:00Z',
    metrics: {
      primary: { name: 'f1', value: 0.5, average: 'macro' },
      metrics: [
        { name: 'accuracy', value: 0.90625, average: null },
        { name: 'f1', value: 0.5, average: 'macro' },
      ],
      per_class: [{ label, precision: 0.5, recall: 0.5, f1: 0.5, support: 20 }],
      invalid_count: invalid,
    },
  });
}

test('numbers are written as Python writes them', () => {
  expect([0.90625, 0.71875, 0.03125, 0.96875, 0.00005, 1, 0].map(score)).toEqual([
    '0.9062',
    '0.7188',
    '0.0312',
    '0.9688',
    '0.0001',
    '1.0000',
    '0.0000',
  ]);
  expect([2861561936736000, 110, 0.129, 1e-5, 1.5e16, -2].map(pythonFloat)).toEqual([
    '2861561936736000.0',
    '110.0',
    '0.129',
    '1e-05',
    '1.5e+16',
    '-2.0',
  ]);
});

test('a score with four decimals is never more than half a unit away', () => {
  fc.assert(fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (value) => Math.abs(Number(score(value)) - value) <= 0.5e-4 + 1e-12));
});

test('many invalid answers stand before every score, few only in their line', () => {
  const loud = renderBenchmark(record({ invalid: 19 }));
  expect(loud.indexOf('Invalid answers: 19 of 20 (95.0 %)')).toBeGreaterThan(0);
  expect(loud.indexOf('Invalid answers')).toBeLessThan(loud.indexOf('Primary metric'));
  const quiet = renderBenchmark(record());
  expect(quiet).not.toContain('Invalid answers:');
  expect(quiet).toContain('Invalid/unrecognized predictions: **0**');
});

test('text of records cannot break tables or bring mark-up', () => {
  const text = renderBenchmark(record({ label: 'a|b\n<script>x</script>' }));
  const row = text.split('\n').find((line) => line.includes('0.5000 | 0.5000 | 0.5000 | 20'))!;
  expect(row.split(/(?<!\\)\|/)).toHaveLength(7);
  expect(text).not.toContain('<script>');
});

test('the index is written between its markers only, and a change in it is drift', () => {
  const table = indexTable([{ record: record(), reportPath: 'benchmarks/bank (a)/fpb_a.md' }]);
  const page = `# Mine\n\nkept\n${indexStart}\nold\n${indexEnd}\ntail\n`;
  const written = writeIndex(page, table);
  expect(written).toMatch(/^# Mine\n\nkept\n/);
  expect(written).toMatch(/tail\n$/);
  expect(written).toContain('0.9062');
  expect(written).toContain('benchmarks/bank%20%28a%29/fpb_a.md');
  expect(writeIndex(written, table)).toBe(written);
  const tampered = written.replace('0.9062', '0.9531');
  expect(indexDrift(tampered, writeIndex(tampered, table))).toHaveLength(2);
  expect(() => writeIndex('no markers', table)).toThrow(/needs one/);
  expect(() => writeIndex(`${indexEnd}${indexStart}`, table)).toThrow(/needs one/);
});

test('merged tables keep columns, and no cell becomes a formula, a command or mark-up', () => {
  const table = mergeRecords([record({ name: '=1+1,"x"', model: '50% & $_{a}^b\\~#' }), record({ name: 'b|c', model: '<b>x</b>' })]);
  const csv = mergedCsv(table);
  expect(csv.split('\r\n')[1]).toMatch(/^"'=1\+1,""x"""/);
  expect(mergedLatex(table)).toContain('50\\% \\& \\$\\_\\{a\\}\\textasciicircum{}b\\textbackslash{}\\textasciitilde{}\\#');
  const lines = mergedMarkdown(table).trim().split('\n');
  expect(new Set(lines.map((line) => line.split(/(?<!\\)\|/).length)).size).toBe(1);
  expect(mergedHtml(table)).not.toContain('<b>');
});
