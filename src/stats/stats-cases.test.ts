// Known right values of the statistics room: error bars at the edges, pairing, clusters, groups, repeats.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bootstrapMean } from './bootstrap.ts';
import { clusteredStandardError, numberClusters } from './clustered.ts';
import { comparePaired, comparisonVerdict, pairScores } from './compare-paired.ts';
import { equivalenceTest } from './equivalence.ts';
import { pairedShift, unpairedShift } from './hodges-lehmann.ts';
import { holm } from './holm.ts';
import { mcnemarExact } from './mcnemar.ts';
import { medianRatio } from './median-ratio.ts';
import { lmEvalPooledStandardError, stratifiedInterval, stratifiedMean } from './pooled.ts';
import { minimumDetectableDifference, type PowerDesign, sampleSizeFor } from './power.ts';
import { wilsonInterval } from './proportion.ts';
import { quantile, quantileInterval, summarize } from './quantile.ts';
import { passAtK, passHatK, reduceRepeats } from './repeats.ts';
import { findChangePoint, isFirstRunOutlier } from './trend.ts';

describe('proportions', () => {
  test.each([
    [0, 25, 0, 0.133192],
    [0, 5000, 0, 0.000768],
    [50, 100, 0.403832, 0.596168],
    [1, 1, 0.206549, 1],
  ])('%i of %i', (successes, n, low, high) => {
    const interval = wilsonInterval({ successes, n })!;
    expect(interval.low).toBeCloseTo(low, 6);
    expect(interval.high).toBeCloseTo(high, 6);
  });
  test('no data gives no interval', () => expect(wilsonInterval({ successes: 0, n: 0 })).toBeNull());
});

describe('bootstrap', () => {
  test('one seed, one result; another seed, another; full-size draws', () => {
    const first = bootstrapMean([0, 1, 1, 1], { seed: 7, resamples: 2000 });
    expect(bootstrapMean([0, 1, 1, 1], { seed: 7, resamples: 2000 })).toEqual(first);
    expect(bootstrapMean([0, 1, 1, 1], { seed: 8, resamples: 2000 }).standardError).not.toBe(first.standardError);
    // The bootstrap error of a mean is the population spread / sqrt(n): 0.2165 here; half-size draws would give 0.31.
    expect(first.standardError).toBeCloseTo(Math.sqrt(0.1875 / 4), 2);
  });
  test('equal values are flagged, one value is no NaN, none is null', () => {
    const same = bootstrapMean([0.5, 0.5, 0.5], { seed: 1, method: 'bca' });
    expect(same).toMatchObject({ degenerate: true, interval: { low: 0.5, high: 0.5 } });
    expect(bootstrapMean([0.3], { seed: 1 })).toMatchObject({ estimate: 0.3, degenerate: true, interval: { low: 0.3, high: 0.3 } });
    expect(bootstrapMean([], { seed: 1 })).toMatchObject({ estimate: null, interval: null });
  });
});

describe('quantiles', () => {
  test("failed requests are the caller's to leave out; the clean percentiles are exact", () => {
    const summary = summarize([1000, 1100, 1200, 1300]);
    expect(summary.p50).toBe(1150);
    expect(summary.p95).toBeCloseTo(1285, 9);
    expect(summary.weak).toEqual(['p90', 'p95', 'p99']);
  });
  test('nothing gives nulls, one value no spread, infinities are left out', () => {
    expect(summarize([])).toEqual({
      n: 0,
      mean: null,
      sd: null,
      min: null,
      p50: null,
      p90: null,
      p95: null,
      p99: null,
      max: null,
      method: 'type-7',
      weak: [],
    });
    expect(summarize([4])).toMatchObject({ n: 1, mean: 4, sd: null, p99: 4 });
    expect(summarize([1, Number.NaN, Infinity, 3])).toMatchObject({ n: 2, mean: 2 });
  });
  test('sample standard deviation without the warm-up', () => {
    expect(summarize([100, 101, 99, 100]).sd).toBeCloseTo(0.816497, 6);
    expect(summarize(Array.from({ length: 662 }, (_, index) => index)).weak).toEqual([]);
    expect(summarize(Array.from({ length: 661 }, (_, index) => index)).weak).toEqual(['p99']);
  });
  test('order-statistic interval of the median of 10 is (x2, x9); p99 of 10 has none', () => {
    const values = Array.from({ length: 10 }, (_, index) => index + 1);
    expect(quantileInterval(values, 0.5)).toMatchObject({ low: 2, high: 9, method: 'order-statistic' });
    expect(quantileInterval(values, 0.99)).toBeNull();
    expect(quantile([], 0.5)).toBeNull();
  });
});

describe('items that belong together', () => {
  test('the two clustered errors by name', () => {
    const { index } = numberClusters(['a', 'a', 'a', 'b', 'b', 'b']);
    const scores = [1, 1, 1, 0, 0, 0];
    expect(clusteredStandardError(scores, index, { variant: 'miller' }).standardError).toBeCloseTo(0.365148, 6);
    expect(clusteredStandardError(scores, index, { variant: 'cr1' }).standardError).toBeCloseTo(0.5, 12);
  });
  test('one cluster has no error and says why', () => {
    expect(clusteredStandardError([1, 0, 1], [0, 0, 0])).toMatchObject({ standardError: null, reason: 'one cluster' });
    expect(clusteredStandardError([], [])).toMatchObject({ mean: null, standardError: null, reason: 'no items' });
  });
  test('single-item clusters equal the plain error', () => {
    const scores = [1, 0, 0, 1, 1];
    expect(clusteredStandardError(scores, [0, 1, 2, 3, 4]).standardError).toBeCloseTo(Math.sqrt(1.2 / 4 / 5), 12);
  });
  test('group mean with the error bar of its own weighting', () => {
    const error = (p: number, n: number): number => Math.sqrt((p * (1 - p)) / (n - 1));
    const strata = [
      { value: 0.9, n: 100, standardError: error(0.9, 100) },
      { value: 0.5, n: 10, standardError: error(0.5, 10) },
    ];
    const documents = stratifiedMean(strata, 'documents');
    expect(documents.value).toBeCloseTo(0.863636, 6);
    expect(documents.standardError).toBeCloseTo(0.031319, 6);
    const tasks = stratifiedMean(strata, 'tasks');
    expect(tasks.value).toBeCloseTo(0.7, 12);
    expect(tasks.standardError).toBeCloseTo(Math.hypot(error(0.9, 100), error(0.5, 10)) / 2, 12);
    expect(stratifiedMean([], 'tasks').value).toBeNull();
    expect(stratifiedInterval(documents, { isShare: true })).toMatchObject({ method: 'stratified-wilson' });
    expect(stratifiedInterval(stratifiedMean([], 'tasks'), { isShare: true })).toBeNull();
  });
  test('a group that is wrong everywhere still has an upper end', () => {
    const group = stratifiedMean(
      [
        { value: 0, n: 100, standardError: 0 },
        { value: 0, n: 10, standardError: 0 },
      ],
      'documents',
    );
    expect(stratifiedInterval(group, { isShare: true })!.high).toBeCloseTo(wilsonInterval({ successes: 0, n: 110 })!.high, 12);
    expect(stratifiedInterval(group, { isShare: false })).toBeNull();
  });
  test('the pooled error of published tables', () => {
    const strata = [
      { value: 0, n: 10, standardError: 0.1 },
      { value: 0, n: 30, standardError: 0.2 },
    ];
    expect(lmEvalPooledStandardError(strata)).toBeCloseTo(0.153254, 6);
  });
  test('repeats become one score per item', () => {
    expect(reduceRepeats([1, 1, 0], 'mean')).toBeCloseTo(2 / 3, 12);
    expect(reduceRepeats([0, 0, 1], 'any')).toBe(1);
    expect(reduceRepeats([1, 1, 0], 'majority')).toBe(1);
    expect(reduceRepeats([1, 0], 'majority')).toBe(0.5);
    expect(reduceRepeats([1, 1, 0], 'pass^k')).toBe(0);
    expect(reduceRepeats([], 'mean')).toBeNull();
  });
  test('pass@k is unbiased and null where attempts are too few', () => {
    expect(passAtK({ attempts: 5, passes: 1, k: 1 })).toBeCloseTo(0.2, 12);
    expect(passAtK({ attempts: 5, passes: 2, k: 3 })).toBeCloseTo(1 - 1 / 10, 12);
    expect(passAtK({ attempts: 200, passes: 0, k: 100 })).toBe(0);
    expect(passAtK({ attempts: 3, passes: 3, k: 5 })).toBeNull();
    expect(passHatK({ attempts: 4, passes: 2, k: 2 })).toBeCloseTo(1 / 6, 12);
  });
});

describe('paired comparison', () => {
  const side = (scores: Record<string, number>) => Object.entries(scores).map(([id, score]) => ({ id, score }));
  test('pairs by id whatever the order, and counts what is not shared', () => {
    const pairs = pairScores(side({ i1: 1, i2: 0, i3: 1 }), side({ i4: 1, i2: 1, i1: 0 }));
    expect(pairs.ids).toEqual(['i1', 'i2']);
    expect(pairs.unshared).toBe(2);
    expect([...pairs.b]).toEqual([0, 1]);
  });
  test('no discordant pairs: p is 1 and nothing is divided by zero', () => {
    expect(mcnemarExact({ onlyA: 0, onlyB: 0 }).p).toBe(1);
    expect(mcnemarExact({ onlyA: 9, onlyB: 9 }).p).toBe(1);
    const same = comparePaired(pairScores(side({ a: 1, b: 0 }), side({ a: 1, b: 0 })), { seed: 1 });
    expect(same).toMatchObject({ p: 1, difference: 0, test: 'mcnemar-exact' });
    expect(comparisonVerdict({ comparison: same, higherIsBetter: true })).toBe('not enough data');
  });
  test('no shared item gives nulls', () => {
    const none = comparePaired(pairScores(side({ a: 1 }), side({ b: 1 })), { seed: 1 });
    expect(none).toMatchObject({ n: 0, difference: null, interval: null, p: null });
  });
  test('words follow the direction that is better', () => {
    const a = Array.from({ length: 60 }, (_, index) => ({ id: `${index}`, score: index % 2 }));
    const b = Array.from({ length: 60 }, (_, index) => ({ id: `${index}`, score: index % 2 === 0 || index < 40 ? 1 : 0 }));
    const comparison = comparePaired(pairScores(a, b), { seed: 1 });
    expect(comparison.flips.gained.length).toBe(30);
    expect(comparison.flips.lost.length).toBe(10);
    expect(comparisonVerdict({ comparison, higherIsBetter: true })).toBe('better');
    expect(comparisonVerdict({ comparison, higherIsBetter: false })).toBe('worse');
    expect(comparison.interval!.low).toBeGreaterThan(0);
    expect(comparisonVerdict({ comparison, higherIsBetter: true, p: 0.2 })).toBe('no difference seen');
  });
  test('shared passages widen the error and repeats are not items', () => {
    const make = (offset: number, passages: boolean) =>
      Array.from({ length: 40 }, (_, index) => ({
        id: `${index}`,
        score: Math.floor(index / 10) % 2 === offset ? 1 : 0,
        cluster: passages ? `p${Math.floor(index / 10)}` : undefined,
      }));
    const naive = comparePaired(pairScores(make(0, false), make(1, false)), { seed: 1 });
    const clustered = comparePaired(pairScores(make(0, true), make(1, true)), { seed: 1 });
    expect(clustered.test).toBe('cluster-permutation');
    expect(clustered.standardError!).toBeGreaterThan(2 * naive.standardError!);
    const repeated = pairScores(
      [1, 1, 0].map((score) => ({ id: 'x', score })),
      [{ id: 'x', score: 0 }],
    );
    expect(repeated.a[0]).toBeCloseTo(2 / 3, 12);
    expect(repeated.ids.length).toBe(1);
  });
});

describe('planning and corrections', () => {
  test('Holm keeps the order and leaves missing tests out', () => {
    expect(holm([0.01, 0.04, null, 0.03])).toEqual([0.03, 0.06, null, 0.06]);
    expect(holm([0.9, 0.8])).toEqual([1, 1]);
  });
  test('equivalence needs a small difference and a small error', () => {
    const wide = equivalenceTest({ difference: 0, standardError: 0.05, df: 50, margin: 0.02 });
    const narrow = equivalenceTest({ difference: 0.001, standardError: 0.005, df: 500, margin: 0.02 });
    expect(wide.equivalent).toBe(false);
    expect(narrow.equivalent).toBe(true);
    expect(equivalenceTest({ difference: 0.01, standardError: 0, df: 9, margin: 0.02 }).equivalent).toBe(true);
  });
  test('n needed and detectable difference are inverse to each other', () => {
    const designs: PowerDesign[] = [
      { kind: 'paired-proportions', discordance: 0.2 },
      { kind: 'proportions', share: 0.6 },
      { kind: 'paired-means', sd: 0.4 },
      { kind: 'means', sd: 12 },
    ];
    for (const design of designs) {
      const n = sampleSizeFor(design, 0.05)!;
      expect(minimumDetectableDifference(design, n)!).toBeLessThanOrEqual(0.05 + 1e-9);
      expect(minimumDetectableDifference(design, n - 1)!).toBeGreaterThan(0.05);
    }
    expect(sampleSizeFor({ kind: 'proportions', share: 0.5 }, 0)).toBeNull();
    // Fleiss, Levin and Paik: 60 % against 70 %, alpha 0.05, power 0.8.
    expect(sampleSizeFor({ kind: 'proportions', share: 0.6 }, 0.1)).toBe(356);
  });
  test('Hodges-Lehmann shifts ignore one wild value', () => {
    expect(pairedShift([1, 1.1, 0.9, 1, 1.05, 0.95, 500]).shift).toBeCloseTo(1.025, 9);
    const { shift, interval } = unpairedShift([1, 2, 3, 4, 5, 6], [11, 12, 13, 14, 15, 16]);
    expect(shift).toBe(10);
    expect(interval!.low).toBeLessThan(10);
    expect(pairedShift([]).shift).toBeNull();
  });
  test('Hodges-Lehmann equals the median of all listed values', () => {
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(fc.array(number, { minLength: 1, maxLength: 15 }), fc.array(number, { minLength: 1, maxLength: 15 }), (a, b) => {
        const walsh = a.flatMap((x, i) => a.slice(i).map((y) => (x + y) / 2));
        const differences = a.flatMap((x) => b.map((y) => y - x));
        expect(pairedShift(a).shift).toBeCloseTo(quantile(Float64Array.from(walsh).sort(), 0.5)!, 6);
        expect(unpairedShift(a, b).shift).toBeCloseTo(quantile(Float64Array.from(differences).sort(), 0.5)!, 6);
      }),
    );
  });
  test('the ratio of medians is wider where runs differ', () => {
    const run = (level: number) => Array.from({ length: 20 }, (_, index) => level + (index % 5) / 10);
    const steady = medianRatio([run(10), run(10), run(10)], [run(12), run(12), run(12)], { seed: 1 });
    const shaky = medianRatio([run(8), run(10), run(12)], [run(10), run(12), run(14)], { seed: 1 });
    expect(steady.ratio).toBeCloseTo(12.2 / 10.2, 12);
    expect(shaky.interval!.high - shaky.interval!.low).toBeGreaterThan(0.2);
    expect(medianRatio([], [[1]], { seed: 1 })).toEqual({ ratio: null, interval: null });
  });
  test('a cold first run is seen', () => {
    expect(isFirstRunOutlier([9000, 100, 101, 99, 100])).toBe(true);
    expect(isFirstRunOutlier([101, 100, 101, 99, 100])).toBe(false);
    expect(isFirstRunOutlier([9000, 100])).toBeNull();
  });
  test('identical answers of two models are no proof of equality in a few items', () => {
    const side = (n: number, score: number) => Array.from({ length: n }, (_, index) => ({ id: `${index}`, score }));
    const few = comparePaired(pairScores(side(12, 1), side(12, 1)), { seed: 1, margin: 0.01 });
    expect(few.interval!.high).toBeGreaterThan(0.05);
    expect(few.equivalence!.equivalent).toBe(false);
    const many = comparePaired(pairScores(side(5000, 1), side(5000, 1)), { seed: 1, margin: 0.01 });
    expect(comparisonVerdict({ comparison: many, higherIsBetter: true })).toBe('equivalent');
    const graded = comparePaired(pairScores(side(12, 0.5), side(12, 0.5)), { seed: 1, margin: 0.01 });
    expect(graded).toMatchObject({ interval: null, equivalence: null, p: 1 });
  });
  test('a step is found where it is, a level series has none', () => {
    const step = Array.from({ length: 60 }, (_, index) => (index < 25 ? 5 : 1) + ((index * 37) % 10) / 10);
    expect(findChangePoint(step)).toMatchObject({ index: 25 });
    expect(findChangePoint(step)!.p).toBeLessThan(0.001);
    expect(findChangePoint(Array.from({ length: 60 }, (_, index) => (index * 37) % 10))!.p).toBeGreaterThan(0.1);
  });
});
