// The ROUGE family as metrics, each value the mean F-measure over rows.
import { z } from 'zod';
import type { Metric } from '../../core/metric.ts';
import { bestOverReferences } from './answer-metrics.ts';
import { defineMeanMetric } from './mean-metric.ts';
import { keptShare, type RougeKind, rouge, rougeTokenizers } from './rouge.ts';
import { referencesOf } from './row-text.ts';

function defineRouge(name: string, kind: RougeKind, title: string, extra: string): Metric {
  return defineMeanMetric({
    name,
    version: '1',
    title,
    description: `${title} F-measure, equal to rouge-score 0.1.2 (best over references).${extra} \`tokenizer: unicode\` scores every script; \`stemmer\` is off unless asked for.`,
    options: z.strictObject({ tokenizer: z.enum(rougeTokenizers).default('rouge_score'), stemmer: z.boolean().default(false) }),
    prepare: (options) => {
      let rows = 0;
      let poorlyRead = 0;
      return {
        score: (row) => {
          const references = referencesOf(row);
          rows++;
          if (references.length > 0 && references.every((reference) => keptShare(reference, options) < 0.5)) poorlyRead++;
          return bestOverReferences(row, (prediction, reference) => rouge(prediction, reference, [kind], options)[kind].f1);
        },
        signature: `tok:${options.tokenizer}|stem:${options.stemmer ? 'porter' : 'no'}|split:newline|f1`,
        notes: () =>
          poorlyRead === 0
            ? []
            : [
                `no scorable tokens in most of the text: the rouge_score tokenizer keeps [a-z0-9] only and drops over half of the letters of ${poorlyRead} of ${rows} references; use tokenizer: unicode`,
              ],
      };
    },
  });
}

export const rougeMetrics: readonly Metric[] = [
  defineRouge('rouge_1', 'rouge1', 'ROUGE-1', ''),
  defineRouge('rouge_2', 'rouge2', 'ROUGE-2', ''),
  defineRouge('rouge_l', 'rougeL', 'ROUGE-L', ''),
  defineRouge('rouge_lsum', 'rougeLsum', 'ROUGE-Lsum', ' Sentences must stand on lines of their own, or it equals ROUGE-L.'),
];
