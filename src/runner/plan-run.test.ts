import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseTask, fakeBackend, generateTask, modelToPlan, planInput, planOf } from '../../test/contract/run-store-fakes.ts';
import { ToolError } from '../core/errors.ts';
import { runPlanSchema } from '../core/plan.ts';
import { estimateDuration } from './estimate-duration.ts';
import { planRun } from './plan-run.ts';
import { idsOfShard, runSlots } from './run-slots.ts';

function errorOf(action: () => unknown): ToolError {
  try {
    action();
  } catch (error) {
    if (ToolError.isInstance(error)) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

test('a plan matches its schema, holds the ids in order and the effective generation settings', () => {
  const task = generateTask(3, { defaultGeneration: { maxTokens: 8, stop: ['\n'] } });
  const plan = planOf([task], { set: { generation: { maxTokens: 99, topP: undefined } } });
  expect(runPlanSchema.parse(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  expect(plan.tasks[0]!.sampleIds).toEqual(task.rows.map((row) => row.id));
  expect(plan.tasks[0]!.generation).toMatchObject({ maxTokens: 99, stop: ['\n'], temperature: 0, seed: 42 });
});

test('the digest changes with what is run and not with host facts, notes or the source that served equal data', () => {
  const task = generateTask(3);
  const input = planInput([task]);
  const { digest } = planRun(input);
  const hostFacts = modelToPlan('m', { estimatedMemoryBytes: 5, notes: ['n'] });
  const dataset = { ...input.tasks[0]!.dataset, source: 'hf:x', revision: 'r', files: { a: 'b' }, notes: ['n'] };
  expect(planRun({ ...input, models: [hostFacts], tasks: [{ ...input.tasks[0]!, dataset }] }).digest).toBe(digest);
  const others = [
    planInput([task], { set: { seed: 43 } }),
    planInput([task], { set: { generation: { temperature: 0.7 } } }),
    planInput([{ ...task, digest: 'e'.repeat(64) }]),
    planInput([generateTask(2)]),
    planInput([task], { models: [modelToPlan('m', { facts: { ...modelToPlan().facts, digest: 'x' } })] }),
    planInput([task], { set: { shard: { index: 1, count: 2 } } }),
  ];
  const digests = new Set(others.map((other) => planRun(other).digest));
  expect(digests.size).toBe(others.length);
  expect(digests.has(digest)).toBe(false);
});

test('all that would not finish is told at once', () => {
  const capabilities = { ...fakeBackend().capabilities, score: false };
  const models = [modelToPlan('m', { capabilities, estimatedMemoryBytes: 9e9 }), modelToPlan('m')];
  const error = errorOf(() =>
    planRun(planInput([chooseTask(2), generateTask(0)], { models, ramBytes: 8e9, set: { maxErrorRate: 5, repeats: 0 } })),
  );
  for (const part of ['two models are called "m"', 'repeats', 'error rate', '"echo" has no samples', '8.4 GiB', 'cannot score']) {
    expect(error.message).toContain(part);
  }
  expect(error.code).toBe('usage');
});

test('each kind of request is checked against the capabilities', () => {
  const none = { ...fakeBackend().capabilities, score: false, generate: false, rolling: false };
  for (const kind of ['choose', 'choose-letter', 'generate', 'perplexity'] as const) {
    const error = errorOf(() => planOf([generateTask(1, { kind })], { models: [modelToPlan('m', { capabilities: none })] }));
    expect(error.code).toBe('unsupported');
    expect(error.message).toContain('"echo"');
  }
});

test('a model that does not fit is refused, --force lets it run, an unknown size is no reason', () => {
  const large = modelToPlan('m', { estimatedMemoryBytes: 9e9 });
  expect(errorOf(() => planOf([generateTask(1)], { models: [large], ramBytes: 8e9 })).code).toBe('memory');
  expect(planOf([generateTask(1)], { models: [large], ramBytes: 8e9, force: true }).models).toHaveLength(1);
  expect(planOf([generateTask(1)], { models: [modelToPlan()], ramBytes: 1 }).models).toHaveLength(1);
});

test('duplicate sample ids, empty input and shards that do not exist are refused', () => {
  const rows = [...generateTask(2).rows, generateTask(1).rows[0]!];
  expect(errorOf(() => planOf([generateTask(0, { rows })])).message).toContain('1 duplicate sample ids');
  expect(errorOf(() => planOf([])).message).toContain('no task');
  expect(errorOf(() => planOf([generateTask(1)], { models: [] })).message).toContain('no model');
  for (const shard of [
    { index: 0, count: 2 },
    { index: 3, count: 2 },
  ]) {
    expect(errorOf(() => planOf([generateTask(1)], { set: { shard } })).message).toContain('does not exist');
  }
});

test('a prompt that is too long refuses the run where the plan says so', () => {
  const capabilities = { ...fakeBackend().capabilities, contextTokens: 100 };
  const input = planInput([generateTask(1)], { models: [modelToPlan('m', { capabilities })], set: { overflow: 'refuse' } });
  const tasks = [{ ...input.tasks[0]!, longestPromptTokens: { m: 101 } }];
  expect(errorOf(() => planRun({ ...input, tasks })).code).toBe('context-overflow');
  expect(planRun({ ...input, tasks: [{ ...tasks[0]!, longestPromptTokens: { m: 100 } }] }).overflow).toBe('refuse');
});

test('shards are disjoint and together the whole, and slots number every sample once', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 3 }), (size, count, repeats) => {
      const task = generateTask(size);
      const seen: string[] = [];
      for (let index = 1; index <= count; index++) {
        const plan = planOf([task], { set: { shard: { index, count }, repeats }, models: [modelToPlan('a'), modelToPlan('b')] });
        seen.push(...idsOfShard(plan.tasks[0]!, plan.shard));
        const slots = runSlots(plan);
        const numbers = slots.results.flatMap((result) =>
          result.ids.flatMap((id) =>
            Array.from({ length: repeats }, (_, repeat) => slots.slotOf({ model: result.model.key, task: 'echo', id, repeat })),
          ),
        );
        expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: slots.total }, (_, slot) => slot));
        expect(slots.slotOf({ model: 'a', task: 'echo', id: 'unknown', repeat: 0 })).toBe(-1);
        expect(slots.slotOf({ model: 'a', task: 'echo', id: task.rows[0]!.id, repeat: repeats })).toBe(-1);
      }
      expect(seen.toSorted()).toEqual(task.rows.map((row) => row.id).toSorted());
    }),
  );
});

test('the time estimate counts load, prompt and answer tokens, and is null where a rate is unknown', () => {
  const plan = planOf([generateTask(10)], { set: { repeats: 2 } });
  const tokens = { echo: { promptTokens: 100, completionTokens: 10 } };
  const rates = { loadMs: 500, prefillTokensPerSecond: 1000, decodeTokensPerSecond: 50 };
  expect(estimateDuration(plan, { m: rates }, tokens).totalMs).toBe(500 + 20 * (100 + 200));
  expect(estimateDuration(plan, { m: { ...rates, decodeTokensPerSecond: null } }, tokens).totalMs).toBeNull();
  expect(estimateDuration(plan, {}, tokens).totalMs).toBeNull();
});
