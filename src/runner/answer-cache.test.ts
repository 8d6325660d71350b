import { expect, test } from 'vitest';
import {
  chooseTask,
  fakeBackend,
  generateTask,
  memoryCache,
  modelToPlan,
  planOf,
  rightAnswer,
  world,
} from '../../test/contract/run-store-fakes.ts';
import { ToolError } from '../core/errors.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { executeRun } from './execute-run.ts';

test('cached answers need no model, are marked and carry no times', async () => {
  const tasks = [generateTask(6), chooseTask(3)];
  const cache = memoryCache();
  const plan = planOf(tasks, { set: { cache: 'read', repeats: 2, generation: { temperature: 0.7 } } });
  const backend = fakeBackend();
  const buildOf = () => 'b1';
  const first = world(plan, tasks, { openModel: async () => backend, cache, buildOf });
  await executeRun(first);
  // Repeats are asked one by one: a cached first answer must not stand for all.
  expect(backend.calls()).toBe(18 + 2);
  expect(cache.size()).toBe(18);
  const openModel = async (): Promise<never> => {
    throw new Error('must not be loaded');
  };
  const second = world(plan, tasks, { openModel, cache, buildOf });
  await executeRun(second);
  expect(second.writer.journal).toHaveLength(18);
  expect(second.writer.journal.every((row) => row.origin === 'cached' && row.timing.totalMs === null)).toBe(true);
  const answers = (rows: readonly PredictionRow[]): string[] =>
    rows.map((row) => `${row.task} ${row.id} ${row.repeat} ${row.prediction}`).sort();
  expect(answers(second.writer.journal)).toEqual(answers(first.writer.journal));
});

test('another model, build or setting never gets a cached answer; refresh asks again', async () => {
  const tasks = [generateTask(4)];
  const cache = memoryCache();
  const run = async (overrides: Parameters<typeof planOf>[1], build = 'b1'): Promise<number> => {
    const backend = fakeBackend();
    await executeRun(world(planOf(tasks, overrides), tasks, { openModel: async () => backend, cache, buildOf: () => build }));
    return backend.calls();
  };
  const asked = 4 + 1;
  expect(await run({ set: { cache: 'read' } })).toBe(asked);
  expect(await run({ set: { cache: 'read' } })).toBe(0);
  expect(await run({ set: { cache: 'refresh' } })).toBe(asked);
  expect(await run({ set: { cache: 'off' } })).toBe(asked);
  expect(await run({ set: { cache: 'read' } }, 'b2')).toBe(asked);
  expect(await run({ set: { cache: 'read' }, models: [modelToPlan('other')] })).toBe(asked);
  expect(await run({ set: { cache: 'read' }, models: [modelToPlan('m', { settings: { contextTokens: 9 } })] })).toBe(asked);
});

test('errors and broken generations are never cached, damaged entries are misses', async () => {
  const tasks = [generateTask(3)];
  const cache = memoryCache();
  const plan = planOf(tasks, { set: { cache: 'read', concurrency: 1 } });
  const answer = (prompt: string): string => {
    if (prompt.includes('q0')) throw new ToolError('backend', 'HTTP 500');
    return rightAnswer(prompt);
  };
  const finishReason = (prompt: string) => (prompt.includes('q1') ? 'cancelled' : 'stop');
  await executeRun(world(plan, tasks, { cache, openModel: async () => fakeBackend({ answer, finishReason }) }));
  expect(cache.size()).toBe(1);
  const damaged = { ...cache, get: async () => ({ kind: 'generate', result: { choices: [] } }) };
  const backend = fakeBackend();
  const again = world(plan, tasks, { cache: damaged, openModel: async () => backend });
  await executeRun(again);
  expect(again.writer.journal.every((row) => row.origin === 'fresh')).toBe(true);
});
