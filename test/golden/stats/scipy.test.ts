// Every distribution, interval and test against scipy (values made by scripts/golden/stats.py).
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { bootstrapMean } from '../../../src/stats/bootstrap.ts';
import { pearson, spearman } from '../../../src/stats/correlation.ts';
import {
  betaQuantile,
  binomialCdf,
  normalCdf,
  normalQuantile,
  studentTCdf,
  studentTQuantile,
} from '../../../src/stats/distributions.ts';
import { mannWhitney } from '../../../src/stats/mann-whitney.ts';
import { mcnemarExact } from '../../../src/stats/mcnemar.ts';
import { meanInterval, standardErrorOfMean } from '../../../src/stats/moments.ts';
import { pairedPermutation } from '../../../src/stats/permutation.ts';
import { clopperPearsonInterval, wilsonInterval } from '../../../src/stats/proportion.ts';
import { quantile } from '../../../src/stats/quantile.ts';
import { fitLine } from '../../../src/stats/trend.ts';
import { wilcoxonSignedRank } from '../../../src/stats/wilcoxon.ts';

const golden = JSON.parse(readFileSync(new URL('./scipy.json', import.meta.url), 'utf8'));

function close(actual: number | null | undefined, wanted: number, relative = 1e-9): void {
  expect(typeof actual).toBe('number');
  expect(Math.abs(actual! - wanted), `${actual} against ${wanted}`).toBeLessThanOrEqual(relative * Math.max(1e-300, Math.abs(wanted)) + 1e-13);
}

describe('distributions', () => {
  test('normal, t, beta, binomial', () => {
    for (const [z, p] of golden.normal) close(normalCdf(z), p);
    for (const [p, z] of golden.normal_quantile) close(normalQuantile(p), z);
    for (const [t, df, p] of golden.t) close(studentTCdf(t, df), p);
    for (const [p, df, t] of golden.t_quantile) close(studentTQuantile(p, df), t, 1e-8);
    for (const [p, a, b, x] of golden.beta_quantile) close(betaQuantile(p, a, b), x, 1e-8);
    for (const [k, n, p, c] of golden.binomial) close(binomialCdf(k, n, p), c);
  });
});

describe('intervals', () => {
  test('Wilson and Clopper-Pearson', () => {
    for (const { k, n, level, wilson, exact } of golden.proportion) {
      const w = wilsonInterval({ successes: k, n, level })!;
      const c = clopperPearsonInterval({ successes: k, n, level })!;
      close(w.low, wilson[0]);
      close(w.high, wilson[1]);
      close(c.low, exact[0], 1e-8);
      close(c.high, exact[1], 1e-8);
    }
  });
  test('t interval of a mean', () => {
    for (const { values, se, interval } of golden.t_mean) {
      close(standardErrorOfMean(values), se);
      close(meanInterval(values)!.low, interval[0], 1e-8);
      close(meanInterval(values)!.high, interval[1], 1e-8);
    }
  });
  test('percentile and BCa bootstrap agree with scipy up to resampling noise', () => {
    for (const { values, bca, percentile } of golden.bca) {
      for (const [method, wanted] of [['bca', bca], ['percentile', percentile]] as const) {
        const { interval } = bootstrapMean(values, { seed: 5, method, resamples: 40_000 });
        expect(Math.abs(interval!.low - wanted[0])).toBeLessThan(0.03 * (wanted[1] - wanted[0]));
        expect(Math.abs(interval!.high - wanted[1])).toBeLessThan(0.03 * (wanted[1] - wanted[0]));
      }
    }
  });
  test('quantiles of type 7', () => {
    for (const { values, q } of golden.quantile) {
      const sorted = Float64Array.from(values as number[]).sort();
      for (const [p, wanted] of q) close(quantile(sorted, p), wanted, 1e-12);
    }
  });
});

describe('tests', () => {
  test('McNemar', () => {
    for (const [onlyA, onlyB, p] of golden.mcnemar) close(mcnemarExact({ onlyA, onlyB }).p, p);
  });
  test('Wilcoxon signed-rank, exact and normal, with and without ties', () => {
    for (const { d, statistic, p, kind } of golden.wilcoxon) {
      const result = wilcoxonSignedRank(d);
      if (kind === 'exact' || result.method === 'normal') {
        expect(result.method).toBe(kind === 'exact' ? 'exact' : 'normal');
        close(result.p, p, 1e-9);
      } else expect(Math.abs(result.p - p)).toBeLessThan(0.02);
      if (kind !== 'exact' || d.length > 12) close(result.statistic, statistic);
    }
  });
  test('Mann-Whitney', () => {
    for (const { a, b, u, p, kind } of golden.mann_whitney) {
      const result = mannWhitney(a, b);
      close(result.statistic, u);
      close(result.p, p, 1e-9);
      expect(result.method).toBe(kind);
    }
  });
  test('paired permutation', () => {
    for (const { d, p } of golden.permutation) close(pairedPermutation(d, { seed: 1 }).p, p);
  });
  test('correlation and line', () => {
    for (const { x, y, pearson: r, spearman: rho } of golden.correlation) {
      close(pearson(x, y), r);
      close(spearman(x, y), rho);
    }
    for (const { x, y, slope, intercept, p } of golden.line) {
      const line = fitLine(x, y)!;
      close(line.slope, slope);
      close(line.intercept, intercept);
      close(line.p, p, 1e-8);
    }
  });
});
