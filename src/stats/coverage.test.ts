// Seeded simulations: intervals cover the truth as often as they say, and equal models are rarely called different.
import { describe, expect, test } from 'vitest';
import { bootstrapCounts, bootstrapMean } from './bootstrap.ts';
import { clusteredInterval, clusteredStandardError } from './clustered.ts';
import { comparePaired, pairScores } from './compare-paired.ts';
import { meanInterval } from './moments.ts';
import { clopperPearsonInterval, wilsonInterval } from './proportion.ts';
import { quantileInterval } from './quantile.ts';
import { createRandom, type Random } from './random.ts';

const rounds = 2000;

function coverage(draw: (random: Random) => { low: number; high: number } | null, truth: number, count = rounds): number {
  const random = createRandom(2026, 'coverage');
  let covered = 0;
  for (let round = 0; round < count; round++) {
    const interval = draw(random);
    if (interval !== null && interval.low <= truth && truth <= interval.high) covered++;
  }
  return covered / count;
}

function expectHonest(share: number): void {
  expect(share).toBeGreaterThanOrEqual(0.93);
  expect(share).toBeLessThanOrEqual(0.97);
}

function successes(n: number, p: number, random: Random): number {
  let count = 0;
  for (let item = 0; item < n; item++) if (random.next() < p) count++;
  return count;
}

describe('95 % intervals cover the truth in 93 to 97 %', () => {
  test.each([0.1, 0.37, 0.5, 0.9])('Wilson, p = %f, n = 200', (p) => {
    expectHonest(coverage((random) => wilsonInterval({ successes: successes(200, p, random), n: 200 }), p));
  });
  test('Clopper-Pearson never falls below its level', () => {
    const share = coverage((random) => clopperPearsonInterval({ successes: successes(50, 0.2, random), n: 50 }), 0.2);
    expect(share).toBeGreaterThanOrEqual(0.945);
  });
  test('t interval of a bimodal mean', () => {
    expectHonest(
      coverage((random) => meanInterval(Array.from({ length: 60 }, () => (random.next() < 0.5 ? 0 : 3) + random.normal())), 1.5),
    );
  });
  test('BCa bootstrap of a lognormal mean', () => {
    const draw = (random: Random) =>
      bootstrapMean(
        Float64Array.from({ length: 150 }, () => Math.exp(0.5 * random.normal())),
        {
          seed: random.uint32(),
          method: 'bca',
          resamples: 500,
        },
      ).interval;
    expectHonest(coverage(draw, Math.exp(0.125), 1000));
  });
  test('order-statistic interval of a lognormal p90', () => {
    const draw = (random: Random) => quantileInterval(Float64Array.from({ length: 300 }, () => Math.exp(random.normal())).sort(), 0.9);
    expectHonest(coverage(draw, Math.exp(1.2815515655446004), 1000));
  });
  test('clustered t interval where items of a passage agree', () => {
    const draw = (random: Random) => {
      const scores: number[] = [];
      const clusterOf: number[] = [];
      for (let cluster = 0; cluster < 40; cluster++) {
        const shared = random.normal();
        for (let item = 0; item < 1 + (cluster % 6); item++) {
          scores.push(shared + 0.3 * random.normal());
          clusterOf.push(cluster);
        }
      }
      return clusteredInterval(clusteredStandardError(scores, clusterOf));
    };
    expectHonest(coverage(draw, 0));
  });
  test('bootstrap over counts: F1 of a table', () => {
    // True positive 0.3, false positive 0.1, false negative 0.2, true negative 0.4.
    const draw = (random: Random) => {
      const counts = new Float64Array(4);
      for (let item = 0; item < 300; item++) {
        const u = random.next();
        counts[u < 0.3 ? 0 : u < 0.4 ? 1 : u < 0.6 ? 2 : 3]!++;
      }
      const f1 = (cells: Float64Array, into: Float64Array): void => {
        into[0] = (2 * cells[0]!) / (2 * cells[0]! + cells[1]! + cells[2]!);
      };
      return bootstrapCounts({ counts, width: 1, statistics: f1 }, { seed: random.uint32(), resamples: 400 })[0]!.interval;
    };
    expectHonest(coverage(draw, 0.6 / 0.9, 1000));
  });
});

describe('A/A: equal models are called different in at most 6.5 % of 2,000 comparisons', () => {
  function falseAlarms(score: (random: Random, difficulty: number) => number, passages: boolean, n: number): number {
    const random = createRandom(7, 'a/a');
    let alarms = 0;
    for (let round = 0; round < rounds; round++) {
      const difficulty = Array.from({ length: n }, () => random.next());
      const side = () =>
        difficulty.map((hard, item) => ({
          id: `${item}`,
          score: score(random, hard),
          cluster: passages ? `${Math.floor(item / 4)}` : undefined,
        }));
      const comparison = comparePaired(pairScores(side(), side()), { seed: round });
      if (comparison.p! <= 0.05) alarms++;
    }
    return alarms / rounds;
  }
  test('right or wrong answers', () => {
    const share = falseAlarms((random, hard) => (random.next() < hard ? 1 : 0), false, 150);
    expect(share).toBeLessThanOrEqual(0.065);
    expect(share).toBeGreaterThan(0.01);
  });
});
