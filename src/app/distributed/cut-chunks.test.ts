import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseTask, generateTask, modelToPlan, planOf } from '../../../test/contract/run-store-fakes.ts';
import { cutChunks, estimateSampleSeconds } from './cut-chunks.ts';

const sizeOf = () => ({ promptTokens: 200, newTokens: 64 });
const facts = { ...modelToPlan().facts, parameters: 1.35e8, sizeBytes: 1e8 };
const llama = (key: string, parameters: number) =>
  modelToPlan(key, { backend: 'llama', facts: { ...facts, parameters, sizeBytes: parameters * 0.7 } });

test('every sample of every task of every model lies in exactly one chunk', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 3000 }),
      fc.integer({ min: 1, max: 50 }),
      fc.option(fc.integer({ min: 1, max: 700 }), { nil: undefined }),
      fc.integer({ min: 1, max: 600 }),
      (large, small, samples, targetSeconds) => {
        const plan = planOf([generateTask(large), chooseTask(small)], { models: [llama('a', 1e8), modelToPlan('b')] });
        const chunks = cutChunks(plan, sizeOf, { samples, targetSeconds });
        for (const [model] of plan.models.entries()) {
          for (const [task, planned] of plan.tasks.entries()) {
            const own = chunks.filter((chunk) => chunk.model === model && chunk.task === task);
            let next = 0;
            for (const { first, past } of own) {
              expect(first).toBe(next);
              expect(past).toBeGreaterThan(first);
              if (samples !== undefined) expect(past - first).toBeLessThanOrEqual(samples);
              next = past;
            }
            expect(next).toBe(planned.sampleIds.length);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('dearer samples make smaller chunks', () => {
  const sizes = [1e8, 1e9, 8e9].map((parameters) => {
    const [first] = cutChunks(planOf([generateTask(2000)], { models: [llama('m', parameters)] }), sizeOf);
    return first!.past;
  });
  expect(sizes[0]!).toBeGreaterThan(sizes[1]!);
  expect(sizes[1]!).toBeGreaterThan(sizes[2]!);
});

test('a longer answer costs more, a choice costs no new tokens', () => {
  const plan = planOf([generateTask(1), chooseTask(1)], { models: [llama('m', 1e9)] });
  const [generate, choose] = plan.tasks;
  const cost = (task: typeof generate, newTokens: number) =>
    estimateSampleSeconds(plan.models[0]!, task!, { promptTokens: 100, newTokens });
  expect(cost(generate, 500)).toBeGreaterThan(cost(generate, 5));
  expect(cost(choose, 500)).toBe(cost(choose, 5));
  expect(cost(choose, 5)).toBeGreaterThan(0);
});
