// Share of right answers for any task with one right answer: a label, a letter, a choice.
import { z } from 'zod';
import type { Metric } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { aliasReader } from './label-aliases.ts';
import { meanMetric } from './mean-metric.ts';
import { readUseOptions } from './use-options.ts';

/** 1 right, 0 wrong or invalid, null without a gold answer. Choice rows compare indices, others compare text exactly. */
export function isRight(row: PredictionRow, alias: (label: string) => string = (label) => label): number | null {
  const byIndex = row.gold !== undefined && row.gold.length > 0;
  if (!byIndex && row.label === null) return null;
  if (row.outcome.kind !== 'scored') return 0;
  if (byIndex && row.predictedIndex !== undefined) return row.gold!.includes(row.predictedIndex) ? 1 : 0;
  if (row.prediction === null || row.label === null) return 0;
  return alias(row.prediction) === alias(row.label) ? 1 : 0;
}

export const accuracyMetrics: readonly Metric[] = [
  meanMetric({
    name: 'accuracy',
    title: 'Accuracy',
    description: 'right answers / all answered rows; invalid answers count as wrong',
    prepare: (options) => {
      const { aliases } = readUseOptions('accuracy', options.use, {
        aliases: z.record(z.string(), z.string()).optional(),
        positive: z.string().optional(),
        labels: z.union([z.array(z.string()).min(1), z.literal('union')]).optional(),
      });
      const alias = aliasReader(aliases);
      return { score: (row) => isRight(row, alias) };
    },
  }),
];
