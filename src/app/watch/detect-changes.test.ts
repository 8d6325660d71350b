import { expect, test } from 'vitest';
import { createRandom } from '../../stats/random.ts';
import { findLevelShift } from './detect-changes.ts';

const series = 4;
const ticks = 100;

function history(random: ReturnType<typeof createRandom>, stepAt = Number.POSITIVE_INFINITY, factor = 1): number[] {
  return Array.from({ length: ticks }, (_, tick) => 100 * (1 + 0.03 * random.normal()) * (tick >= stepAt ? factor : 1));
}
function firstAlarm(values: readonly number[]): number | null {
  for (let tick = 1; tick <= values.length; tick++) if (findLevelShift(values.slice(0, tick), { series }) !== null) return tick;
  return null;
}

test('noise alone hardly ever raises an alarm in a hundred looks at four series', () => {
  const random = createRandom(3, 'watch');
  const rounds = 60;
  let alarms = 0;
  for (let round = 0; round < rounds; round++) {
    if (Array.from({ length: series }, () => firstAlarm(history(random))).some((tick) => tick !== null)) alarms++;
  }
  // At 5 % over 60 rounds, more than 8 would have a chance below 0.5 %.
  expect(alarms).toBeLessThanOrEqual(8);
});

test('a step is found within ten ticks, and located', () => {
  const random = createRandom(4, 'watch');
  for (let round = 0; round < 10; round++) {
    const values = history(random, 60, 1.25);
    const tick = firstAlarm(values)!;
    expect(tick).toBeGreaterThan(60);
    expect(tick).toBeLessThanOrEqual(70);
    const found = findLevelShift(values.slice(0, tick), { series })!;
    expect(Math.abs(found.index - 60)).toBeLessThanOrEqual(2);
    expect(found.relative).toBeGreaterThan(0.15);
  }
});

test('short, constant and slightly shifted series give no alarm', () => {
  expect(findLevelShift([1, 2, 3], { series: 1 })).toBeNull();
  expect(findLevelShift(Array(40).fill(5), { series: 1 })).toBeNull();
  expect(
    findLevelShift([...Array.from({ length: 30 }, (_, i) => 100 + i / 100), ...Array.from({ length: 5 }, (_, i) => 101 + i / 100)], {
      series: 1,
    }),
  ).toBeNull();
});
