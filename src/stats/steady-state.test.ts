import { expect, test } from 'vitest';
import { createRandom } from './random.ts';
import { findSteadyState } from './steady-state.ts';

test('an injected step is placed within two values in at least 95 % of noisy series', () => {
  let hits = 0;
  const runs = 200;
  for (let seed = 0; seed < runs; seed++) {
    const random = createRandom(seed, 'steady');
    const at = 15 + random.below(30);
    const series = Array.from({ length: 60 }, (_, index) => (index < at ? 150 : 100) * Math.exp(0.08 * random.normal()));
    const { steps } = findSteadyState(series);
    if (steps.some((step) => Math.abs(step.index - at) <= 2)) hits++;
  }
  expect(hits / runs).toBeGreaterThanOrEqual(0.95);
});

test('level noise is steady as a whole; slow starts are cut off', () => {
  const random = createRandom(3, 'level');
  const level = Array.from({ length: 80 }, () => 100 + 5 * random.normal());
  expect(findSteadyState(level)).toMatchObject({ from: 0, to: 80, steps: [] });
  const slowStart = [...Array.from({ length: 10 }, () => 300 + random.normal()), ...level];
  const found = findSteadyState(slowStart);
  expect(found.from).toBe(10);
  expect(found.to).toBe(90);
  expect(found.steps[0]!.ratio).toBeCloseTo(1 / 3, 1);
});

test('an empty or short series is its own steady state', () => {
  expect(findSteadyState([])).toEqual({ from: 0, to: 0, steps: [] });
  expect(findSteadyState([1, 2, 3])).toMatchObject({ from: 0, to: 3 });
});
