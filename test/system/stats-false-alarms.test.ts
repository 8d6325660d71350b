// The heavier seeded simulations: false alarms of graded and clustered comparisons, and the power that is advertised.
import { describe, expect, test } from 'vitest';
import { comparePaired, pairScores } from '../../src/stats/compare-paired.ts';
import { pairedShift } from '../../src/stats/hodges-lehmann.ts';
import { mannWhitney } from '../../src/stats/mann-whitney.ts';
import { mcnemarExact } from '../../src/stats/mcnemar.ts';
import { sampleSizeFor } from '../../src/stats/power.ts';
import { createRandom } from '../../src/stats/random.ts';
import { wilcoxonSignedRank } from '../../src/stats/wilcoxon.ts';

const rounds = 2000;

describe('A/A false alarms stay at or below 6.5 % of 2,000', () => {
  test('graded scores in passages', () => {
    const random = createRandom(1, 'graded');
    let alarms = 0;
    for (let round = 0; round < rounds; round++) {
      const side = () => {
        const items: { id: string; score: number; cluster: string }[] = [];
        for (let passage = 0; passage < 25; passage++) {
          const shared = random.normal();
          for (let item = 0; item < 4; item++)
            items.push({ id: `${passage}.${item}`, score: shared + random.normal(), cluster: `${passage}` });
        }
        return items;
      };
      if (comparePaired(pairScores(side(), side()), { seed: round }).p! <= 0.05) alarms++;
    }
    expect(alarms / rounds).toBeLessThanOrEqual(0.065);
    expect(alarms / rounds).toBeGreaterThan(0.03);
  });
  test('lognormal latencies, paired and unpaired', () => {
    const random = createRandom(2, 'latency');
    const times = () => Array.from({ length: 80 }, () => Math.exp(0.4 * random.normal()));
    let paired = 0;
    let unpaired = 0;
    for (let round = 0; round < rounds; round++) {
      const a = times();
      const b = times();
      if (wilcoxonSignedRank(a.map((value, index) => Math.log(b[index]! / value))).p <= 0.05) paired++;
      if (mannWhitney(a, b).p <= 0.05) unpaired++;
    }
    expect(paired / rounds).toBeLessThanOrEqual(0.065);
    expect(unpaired / rounds).toBeLessThanOrEqual(0.065);
  });
});

describe('power at the advertised n', () => {
  test('a 5 % slower first token is found in at least 90 % of runs', () => {
    const sd = 0.15 * Math.SQRT2;
    const n = sampleSizeFor({ kind: 'paired-means', sd }, Math.log(1.05), { power: 0.92 })!;
    const random = createRandom(3, 'power');
    let found = 0;
    for (let round = 0; round < 500; round++) {
      const differences = Array.from({ length: n }, () => Math.log(1.05) + sd * random.normal());
      if (wilcoxonSignedRank(differences).p <= 0.05) found++;
    }
    expect(found / 500).toBeGreaterThanOrEqual(0.9);
    expect(pairedShift(Array.from({ length: n }, () => Math.log(1.05) + sd * random.normal())).shift).toBeCloseTo(Math.log(1.05), 1);
  });
  test('paired proportions reach about the power that was asked for', () => {
    const n = sampleSizeFor({ kind: 'paired-proportions', discordance: 0.2 }, 0.06, { power: 0.8 })!;
    const random = createRandom(4, 'power');
    let found = 0;
    for (let round = 0; round < 1000; round++) {
      let onlyA = 0;
      let onlyB = 0;
      for (let item = 0; item < n; item++) {
        const u = random.next();
        if (u < 0.07) onlyA++;
        else if (u < 0.2) onlyB++;
      }
      if (mcnemarExact({ onlyA, onlyB }).p <= 0.05) found++;
    }
    expect(found / 1000).toBeGreaterThan(0.74);
    expect(found / 1000).toBeLessThan(0.86);
  });
});
