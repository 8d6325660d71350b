// Expected calibration error: does 80 % sure mean right in 80 % of cases? With the reliability table behind it.
import { z } from 'zod';
import type { Metric, MetricDetails } from '../core/metric.ts';
import { choiceProbabilities, creditOf, pickOfRow, tieOptions, tiePolicy } from './choice-score.ts';
import { metricValue } from './metric-value.ts';
import { readUseOptions } from './use-options.ts';

type Reliability = NonNullable<MetricDetails['reliability']>;

/** Equal-width bins over (0, 1], right-closed as in Guo et al. 2017; an empty bin has null means. */
function reliabilityTable(rows: readonly { readonly confidence: number; readonly right: number }[], bins: number): Reliability {
  const table = Array.from({ length: bins }, () => ({ n: 0, confidence: 0, right: 0 }));
  for (const row of rows) {
    const bin = table[Math.min(bins - 1, Math.max(0, Math.ceil(row.confidence * bins) - 1))]!;
    bin.n++;
    bin.confidence += row.confidence;
    bin.right += row.right;
  }
  return table.map((bin, index) => ({
    low: index / bins,
    high: (index + 1) / bins,
    n: bin.n,
    confidence: bin.n === 0 ? null : bin.confidence / bin.n,
    accuracy: bin.n === 0 ? null : bin.right / bin.n,
  }));
}

/** Mean distance between confidence and accuracy, weighted by rows (Naeini, Cooper and Hauskrecht 2015); null without rows. */
function expectedCalibrationError(table: Reliability): number | null {
  const n = table.reduce((total, bin) => total + bin.n, 0);
  if (n === 0) return null;
  return table.reduce((total, bin) => total + (bin.n === 0 ? 0 : (bin.n / n) * Math.abs(bin.confidence! - bin.accuracy!)), 0);
}

const facts = { name: 'ece', version: '1', higherIsBetter: false, unit: 'fraction' };

export const calibrationMetrics: readonly Metric[] = [
  {
    name: 'ece',
    version: '1',
    title: 'Expected calibration error',
    description: 'distance between the probability of the picked choice and how often it is right, in equal-width bins (default 10)',
    higherIsBetter: false,
    create: (options) => {
      const use = readUseOptions('ece', options.use, { bins: z.number().int().min(1).max(1000).default(10), ...tieOptions });
      const { bins } = use;
      const ties = tiePolicy(use);
      const rows: { confidence: number; right: number }[] = [];
      return {
        add: (row) => {
          const probabilities = choiceProbabilities(row.choices ?? []);
          const pick = pickOfRow(row, 'none');
          if (probabilities === null || pick.kind === 'undefined' || row.gold === undefined || row.gold.length === 0) return null;
          rows.push({ confidence: probabilities[pick.best[0]!]!, right: creditOf(pick.best, row.gold, ties) });
          return null;
        },
        finish: () => {
          const reliability = reliabilityTable(rows, bins);
          const notes =
            rows.length > 0 && rows.length < 20 * bins ? [`${rows.length} rows in ${bins} bins: small samples make ece look larger`] : [];
          const details = { reliability, ...(notes.length > 0 ? { notes } : {}) };
          return { values: [metricValue(facts, { value: expectedCalibrationError(reliability), n: rows.length })], details };
        },
      };
    },
  },
];
