// Seeded simulations of the intervals that metrics print: shares with repeats, graded scores, passages.
import { expect, test } from 'vitest';
import { createRandom, type Random } from '../stats/random.ts';
import { createItemMeans } from './item-means.ts';

const rounds = 1000;

function covered(draw: (random: Random) => { low: number; high: number } | null, truth: number, count = rounds): number {
  const random = createRandom(99, 'metric-coverage');
  let hits = 0;
  for (let round = 0; round < count; round++) {
    const interval = draw(random);
    if (interval !== null && interval.low <= truth && truth <= interval.high) hits++;
  }
  return hits / count;
}

function expectHonest(share: number): void {
  expect(share).toBeGreaterThanOrEqual(0.93);
  expect(share).toBeLessThanOrEqual(0.97);
}

test('accuracy over repeats of items of different difficulty', () => {
  const draw = (random: Random) => {
    const means = createItemMeans();
    for (let item = 0; item < 100; item++) {
      const difficulty = random.next();
      for (let repeat = 0; repeat < 4; repeat++) means.add({ id: `${item}` }, random.next() < difficulty ? 1 : 0);
    }
    return means.summary('proportion').interval;
  };
  expectHonest(covered(draw, 0.5));
});

test('degrees between 0 and 1', () => {
  const draw = (random: Random) => {
    const means = createItemMeans();
    for (let item = 0; item < 80; item++) means.add({ id: `${item}` }, random.next() ** 3);
    return means.summary('bounded').interval;
  };
  expectHonest(covered(draw, 0.25));
});

test('accuracy in passages', () => {
  const draw = (random: Random) => {
    const means = createItemMeans();
    for (let passage = 0; passage < 50; passage++) {
      const easy = random.next() < 0.7 ? 0.9 : 0.4;
      for (let item = 0; item < 5; item++) means.add({ id: `${passage}.${item}`, cluster: `${passage}` }, random.next() < easy ? 1 : 0);
    }
    return means.summary('proportion').interval;
  };
  expectHonest(covered(draw, 0.75));
});
