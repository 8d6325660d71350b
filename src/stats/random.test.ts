// Random numbers: stable, even, independent between streams, and right for counts.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sampleBinomial, sampleMultinomial } from './binomial-sample.ts';
import { binomialCdf, normalCdf } from './distributions.ts';
import { createRandom, shuffled } from './random.ts';

/** P(chi-square > x), Wilson and Hilferty 1931: good to a thousandth, enough to see a wrong generator. */
function chiSquareUpperTail(x: number, df: number): number {
  const spread = 2 / (9 * df);
  return normalCdf((1 - spread - (x / df) ** (1 / 3)) / Math.sqrt(spread));
}

test('the numbers of a seed never change', () => {
  const random = createRandom(42, 'bootstrap');
  expect([random.uint32(), random.uint32(), random.uint32()]).toMatchInlineSnapshot(`
    [
      2470234355,
      3526624683,
      163117208,
    ]
  `);
});

test('seeds and streams differ, also negative and large ones', () => {
  const firsts = [0, 1, -1, 42, 2 ** 32 + 1, 2 ** 33 + 1].flatMap((seed) =>
    ['', 'a', 'b'].map((stream) => createRandom(seed, stream).uint32()),
  );
  expect(new Set(firsts).size).toBe(firsts.length);
});

test('die rolls are even (chi-square)', () => {
  const random = createRandom(3, 'die');
  const counts = new Float64Array(6);
  for (let index = 0; index < 60_000; index++) counts[random.below(6)]!++;
  const statistic = counts.reduce((total, count) => total + (count - 10_000) ** 2 / 10_000, 0);
  expect(chiSquareUpperTail(statistic, 5)).toBeGreaterThan(0.001);
});

test.each([
  [5, 0.3],
  [40, 0.05],
  [100, 0.5],
  [1000, 0.98],
])('binomial draws of n %i, p %f follow the distribution (chi-square over its cells)', (n, p) => {
  const random = createRandom(11, 'binomial');
  const draws = 40_000;
  const seen = new Float64Array(n + 1);
  for (let index = 0; index < draws; index++) seen[sampleBinomial(n, p, random)]!++;
  let statistic = 0;
  let cells = 0;
  let expected = 0;
  let observed = 0;
  for (let k = 0; k <= n; k++) {
    expected += draws * (binomialCdf(k, n, p) - binomialCdf(k - 1, n, p));
    observed += seen[k]!;
    if (expected < 20 && k < n) continue;
    if (expected > 0) statistic += (observed - expected) ** 2 / expected;
    cells++;
    expected = 0;
    observed = 0;
  }
  expect(chiSquareUpperTail(statistic, cells - 1)).toBeGreaterThan(0.001);
});

test('a multinomial draw keeps the total and never fills an empty cell', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(500), { minLength: 1, maxLength: 12 }), fc.nat(), (counts, seed) => {
      const cells = Float64Array.from(counts);
      const total = counts.reduce((left, right) => left + right, 0);
      const into = new Float64Array(cells.length);
      sampleMultinomial(cells, total, createRandom(seed), into);
      expect(into.reduce((left, right) => left + right, 0)).toBe(total);
      into.forEach((count, cell) => {
        if (cells[cell] === 0) expect(count).toBe(0);
      });
    }),
  );
});

test('shuffling keeps the items', () => {
  const items = [1, 2, 3, 4, 5, 6, 7, 8, 9];
  const result = shuffled(items, createRandom(1, 'shuffle'));
  expect([...result].sort()).toEqual(items);
  expect(result).not.toEqual(items);
});
