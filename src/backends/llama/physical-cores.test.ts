import { availableParallelism } from 'node:os';
import { expect, it } from 'vitest';
import { chooseThreads, countPhysicalCores } from './physical-cores.ts';

it('takes all physical cores when idle, fewer when others are at work, never none', () => {
  expect([0, 0.3, 1, 2.2, 50].map((load) => chooseThreads(4, load))).toEqual([4, 4, 3, 2, 1]);
});

it('never counts more cores than the process may use', () => {
  expect(countPhysicalCores()).toBeGreaterThanOrEqual(1);
  expect(countPhysicalCores()).toBeLessThanOrEqual(availableParallelism());
});
