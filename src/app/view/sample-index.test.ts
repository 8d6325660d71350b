import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { someRows } from '../../../test/contract/run-store-contract.ts';
import { generateTask, planOf } from '../../../test/contract/run-store-fakes.ts';
import type { RunPlan } from '../../core/plan.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { rowHolds } from '../../report/viewer/sample-row.ts';
import { SampleIndex } from './sample-index.ts';
import { SampleSearch } from './search-samples.ts';

const count = 30;
const drawn = planOf([generateTask(count)]);
/** The store's fakes name a metric that only they know. */
const plan: RunPlan = {
  ...drawn,
  tasks: drawn.tasks.map((task) => ({ ...task, metrics: [{ name: 'accuracy' }], primaryMetric: 'accuracy' })),
};
const rows = someRows(drawn, count);
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'slmbench-index-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const open = (): SampleIndex => new SampleIndex({ folder, plan, userMetrics: [] });
const line = (row: PredictionRow): string => `${JSON.stringify(row)}\n`;
const all = Array.from({ length: count }, (_, slot) => slot);

test('rows are found by slot in plan order, whatever the order of the journal', async () => {
  writeFileSync(join(folder, 'journal.jsonl'), rows.toReversed().map(line).join(''));
  const index = open();
  await index.refresh();
  expect((await index.rowsAt(all)).map(({ row }) => row)).toEqual(rows);
  expect(index.done).toBe(count);
});

test('a journal that grows byte by byte is never misread, and equals one that was read at once', async () => {
  const text = Buffer.from(rows.map(line).join(''));
  const path = join(folder, 'journal.jsonl');
  writeFileSync(path, '');
  const index = open();
  for (let at = 0; at < text.length; at += 97) {
    appendFileSync(path, text.subarray(at, at + 97));
    await index.refresh();
    const whole =
      text
        .subarray(0, at + 97)
        .toString('latin1')
        .split('\n').length - 1;
    expect(index.done).toBe(whole);
  }
  const fresh = open();
  await fresh.refresh();
  expect(index.columns).toEqual(fresh.columns);
  expect(index.damaged).toBe(0);
});

test('the last row of a sample counts; damaged and foreign lines are counted and left out', async () => {
  const failed: PredictionRow = { ...rows[3]!, outcome: { kind: 'error', class: 'timeout', message: 'late' }, prediction: null };
  const lines = [
    line(failed),
    line(rows[0]!),
    '{"id":\n',
    '{}\n',
    line({ ...rows[1]!, id: 'unknown' }),
    line(rows[3]!),
    line(rows[5]!).slice(0, 40),
  ];
  writeFileSync(join(folder, 'journal.jsonl'), lines.join(''));
  const index = open();
  await index.refresh();
  expect(index.done).toBe(2);
  expect(index.damaged).toBe(3);
  expect((await index.rowsAt([3]))[0]!.row).toEqual(rows[3]);
});

test('predictions stand in where a run has no journal', async () => {
  writeFileSync(join(folder, 'predictions.jsonl'), rows.map(line).join(''));
  const index = open();
  await index.refresh();
  expect(index.done).toBe(count);
});

test('text search finds exactly the rows that hold the text, whatever must be escaped in JSON', async () => {
  const texts = fc.array(fc.string({ unit: 'grapheme', maxLength: 12 }), { minLength: count, maxLength: count });
  await fc.assert(
    fc.asyncProperty(texts, fc.nat(count - 1), fc.nat(8), fc.nat(8), async (answers, chosen, from, length) => {
      const changed = rows.map((row, at) => ({ ...row, raw: answers[at]!, prediction: answers[at]! }));
      writeFileSync(join(folder, 'journal.jsonl'), changed.map(line).join(''));
      const index = open();
      await index.refresh();
      const wanted = answers[chosen]!.slice(from, from + length);
      fc.pre(wanted !== '' && wanted.isWellFormed());
      const found = await new SampleSearch(index).find(wanted);
      expect([...found].sort((a, b) => a - b)).toEqual(all.filter((slot) => rowHolds(changed[slot]!, wanted.toLowerCase())));
    }),
    { numRuns: 60 },
  );
});
