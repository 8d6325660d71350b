import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseTask, generateTask, modelToPlan, planOf } from '../../test/contract/run-store-fakes.ts';
import type { RunPlan } from '../core/plan.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { rowOfError } from './make-row.ts';
import { mergedRows, planOfShards, type ShardInput, wholePlan } from './merge-shards.ts';
import { runSlots } from './run-slots.ts';

const tasks = [generateTask(17), chooseTask(5)];
const options = (shard: RunPlan['shard'], set = {}) => ({
  models: [modelToPlan('a'), modelToPlan('b')],
  set: { shard, repeats: 2, ...set },
});

function rowsOf(plan: RunPlan): PredictionRow[] {
  return runSlots(plan).results.flatMap(({ model, task, ids }) =>
    Array.from({ length: plan.repeats }, (_, repeat) =>
      ids.map((id) => rowOfError({ model: model.key, task: task.key, id, repeat }, 'timeout', 'slow')),
    ).flat(),
  );
}
async function* each(rows: readonly PredictionRow[]): AsyncGenerator<PredictionRow> {
  yield* rows;
}
function shardOf(index: number, count: number, rows?: readonly PredictionRow[], set = {}): ShardInput {
  const plan = planOf(tasks, options({ index, count }, set));
  return { name: `shard-${index}`, plan, rows: () => each(rows ?? rowsOf(plan)) };
}
async function collect(rows: AsyncIterable<PredictionRow>): Promise<PredictionRow[]> {
  const all = [];
  for await (const row of rows) all.push(row);
  return all;
}
const key = (row: PredictionRow): string => `${row.model}/${row.task}/${row.id}/${row.repeat}`;

test('any number of shards holds every sample of the whole plan exactly once', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 30 }), async (count) => {
      const shards = Array.from({ length: count }, (_, at) => shardOf(at + 1, count)).reverse();
      const plan = planOfShards(shards);
      const whole = planOf(tasks, options(null));
      expect(plan).toEqual(whole);
      const keys = (await collect(mergedRows(shards))).map(key);
      expect(keys.toSorted()).toEqual(rowsOf(whole).map(key).toSorted());
    }),
    { numRuns: 12 },
  );
});

test('a missing, doubled or whole run is refused by name', () => {
  expect(() => planOfShards([shardOf(1, 3), shardOf(3, 3)])).toThrow(/1 of 3 shards are missing: 2\/3/);
  expect(() => planOfShards([shardOf(1, 2), shardOf(1, 2), shardOf(2, 2)])).toThrow(/shard 1\/2 is there 2 times/);
  expect(() => planOfShards([{ name: 'x', plan: planOf(tasks, options(null)) }])).toThrow(/x is a whole run/);
  expect(() => planOfShards([])).toThrow(/needs the shards/);
});

test('unlike plans are refused with what differs', () => {
  const first = shardOf(1, 2);
  expect(() => planOfShards([first, shardOf(2, 2, undefined, { seed: 7 })])).toThrow(/not parts of one plan/);
  expect(() => planOfShards([first, shardOf(2, 3)])).toThrow(/3 shards instead of 2/);
  const other = {
    name: 'other',
    plan: planOf([generateTask(17, { digest: 'e'.repeat(64) }), chooseTask(5)], options({ index: 2, count: 2 })),
  };
  expect(() => planOfShards([first, other])).toThrow(/task "echo" has other prompts/);
  const changed = { name: 'changed', plan: { ...shardOf(2, 2).plan, seed: 9 } };
  expect(() => planOfShards([first, changed])).toThrow(/changed after it was made/);
});

test('a sample without a row, and rows of another shard or run, are refused before anything is merged', async () => {
  const second = shardOf(2, 2);
  const rows = rowsOf(second.plan);
  await expect(collect(mergedRows([shardOf(1, 2), shardOf(2, 2, rows.slice(0, -3))]))).rejects.toThrow(/lacks 3 of \d+ samples/);
  const foreign = rowsOf(shardOf(1, 2).plan)[0]!;
  await expect(collect(mergedRows([shardOf(1, 2), shardOf(2, 2, [...rows, foreign])]))).rejects.toThrow(/1 rows that are not of its shard/);
});

test('the last row of a sample counts: a retried error is not doubled', async () => {
  const plan = shardOf(1, 1).plan;
  const rows = rowsOf(plan);
  const retried = { ...rows[0]!, raw: 'second try' };
  const merged = await collect(mergedRows([shardOf(1, 1, [...rows, retried])]));
  expect(merged).toHaveLength(rows.length);
  expect(merged[0]!.raw).toBe('second try');
  expect(wholePlan(plan).shard).toBeNull();
});
