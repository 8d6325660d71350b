// The four IFEval accuracies: by prompt and by instruction, strict and loose.
import type { Metric, MetricValue } from '../../core/metric.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { wilsonInterval } from '../../stats/proportion.ts';
import type { InstructionVerdicts } from './follow-instructions.ts';
import { ifevalGraderName } from './ifeval-grader.ts';

function verdictsOf(row: PredictionRow): InstructionVerdicts | null {
  const grade = row.grades?.find(({ grader }) => grader === ifevalGraderName);
  if (grade === undefined || grade.score === null || grade.detail === undefined) return null;
  return JSON.parse(grade.detail) as InstructionVerdicts;
}

/** Prompt level: all instructions followed. Instruction level: over the flattened list, not a mean of means. */
export const ifevalMetric: Metric = {
  name: 'ifeval',
  version: '1',
  title: 'IFEval',
  description: 'Share of prompts and of instructions that are followed, strict and loose (Zhou et al. 2023); averages name the four.',
  higherIsBetter: true,
  create: ({ level = 0.95 }) => {
    const rows: InstructionVerdicts[] = [];
    return {
      add: (row) => {
        const verdicts = verdictsOf(row);
        if (verdicts === null) return null;
        rows.push(verdicts);
        return verdicts.strict.every(Boolean) ? 1 : 0;
      },
      finish: () => ({
        values: (['strict', 'loose'] as const).flatMap((reading) => [
          share(
            `prompt-${reading}`,
            rows.map((row) => row[reading].every(Boolean)),
            level,
          ),
          share(
            `instruction-${reading}`,
            rows.flatMap((row) => row[reading].map(Boolean)),
            level,
          ),
        ]),
      }),
    };
  },
};

function share(average: string, followed: readonly boolean[], level: number): MetricValue {
  const n = followed.length;
  const right = followed.filter(Boolean).length;
  const value = n === 0 ? null : right / n;
  return {
    name: 'ifeval',
    average,
    value,
    n,
    interval: wilsonInterval({ successes: right, n, level }),
    standardError: n < 2 || value === null ? null : Math.sqrt((value * (1 - value)) / (n - 1)),
    higherIsBetter: true,
    unit: 'fraction',
    version: '1',
  };
}
