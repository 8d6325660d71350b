// Scores that a grader gave at run time (code execution, judge, embedding): their mean, and pass@k over repeats.
import { z } from 'zod';
import type { Metric } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { passAtK } from '../stats/repeats.ts';
import { createItemMeans } from './item-means.ts';
import { meanMetric } from './mean-metric.ts';
import { metricValue } from './metric-value.ts';
import { readUseOptions } from './use-options.ts';

/** Score by the named grader, or the first one; null = not graded, which never counts as 0. An invalid answer without a grade is 0. */
function gradeOf(row: PredictionRow, grader: string | undefined): number | null {
  const grade = row.grades?.find((one) => grader === undefined || one.grader === grader);
  if (grade !== undefined) return grade.score;
  return row.outcome.kind === 'invalid' ? 0 : null;
}

const graderOption = { grader: z.string().optional() };

const graded = meanMetric({
  name: 'graded',
  title: 'Mean grade',
  description: 'mean score by a grader; ungraded rows are left out and counted',
  scale: 'bounded',
  unit: 'score',
  prepare: (options) => {
    const { grader } = readUseOptions('graded', options.use, graderOption);
    return { score: (row) => gradeOf(row, grader) };
  },
});

const passRate: Metric = {
  name: 'pass@k',
  version: '1',
  title: 'pass@k',
  description: 'chance that one of k attempts passes, unbiased over the repeats of each problem (Chen et al. 2021)',
  higherIsBetter: true,
  create: (options) => {
    const use = readUseOptions('pass@k', options.use, {
      ...graderOption,
      k: z.union([z.number().int().min(1), z.array(z.number().int().min(1)).min(1)]).default(1),
    });
    const problems = new Map<string, { readonly cluster: string | undefined; attempts: number; passes: number }>();
    return {
      add: (row) => {
        const score = gradeOf(row, use.grader);
        if (score === null) return null;
        const problem = problems.get(row.id) ?? { cluster: row.cluster, attempts: 0, passes: 0 };
        problem.attempts++;
        if (score >= 1) problem.passes++;
        problems.set(row.id, problem);
        return score >= 1 ? 1 : 0;
      },
      finish: () => {
        const notes: string[] = [];
        const values = [use.k].flat().map((k) => {
          const means = createItemMeans();
          let short = 0;
          for (const [id, problem] of problems) {
            const chance = passAtK({ ...problem, k });
            if (chance === null) short++;
            else means.add({ id, cluster: problem.cluster }, chance);
          }
          if (short > 0) notes.push(`pass@${k}: ${short} problems have fewer than ${k} attempts`);
          const facts = { name: 'pass@k', version: '1', higherIsBetter: true, unit: 'fraction' };
          return metricValue(facts, { ...means.summary('bounded', options.level), average: `k=${k}` });
        });
        return notes.length > 0 ? { values, details: { notes } } : { values };
      },
    };
  },
};

export const gradedMetrics: readonly Metric[] = [graded, passRate];
