// BLEU and chrF as metrics: corpus values from added-up statistics, sentence values per row.
import { z } from 'zod';
import type { Metric } from '../../core/metric.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { bestOverReferences } from './answer-metrics.ts';
import { bleuFromStatistics, bleuSignature, bleuSmoothings, bleuStatistics, sentenceBleu } from './bleu.ts';
import { bleuTokenizers, needsOtherTokenizer } from './bleu-tokenizers.ts';
import { chrfFromStatistics, chrfSignature, chrfStatistics, sentenceChrf } from './chrf.ts';
import { defineCorpusMetric } from './corpus-metric.ts';
import { editSimilarity } from './edit-similarity.ts';
import { defineMeanMetric } from './mean-metric.ts';
import { answerOf, referencesOf } from './row-text.ts';

/** The number of references if all rows have as many, as sacreBLEU's signature says it. */
function referenceCounter() {
  let seen: number | 'var' | undefined;
  return {
    count: (references: readonly string[]): void => {
      seen = seen === undefined || seen === references.length ? references.length : 'var';
    },
    value: (): number | 'var' => seen ?? 1,
  };
}

const bleuOptions = z.strictObject({
  tokenizer: z.enum(bleuTokenizers).default('13a'),
  lowercase: z.boolean().default(false),
  smoothing: z.enum(bleuSmoothings).default('exp'),
  smoothingValue: z.number().positive().optional(),
  effectiveOrder: z.boolean().optional(),
  maxOrder: z.number().int().min(1).max(9).default(4),
});

/** Warnings about texts that BLEU says little about. */
function bleuWatch(tokenizer: string) {
  let rows = 0;
  let unspaced = 0;
  let short = 0;
  return {
    see: (references: readonly string[], hypothesisLength: number, maxOrder: number): void => {
      rows++;
      if ((tokenizer === '13a' || tokenizer === 'none' || tokenizer === 'intl') && references.some(needsOtherTokenizer)) unspaced++;
      if (hypothesisLength > 0 && hypothesisLength < maxOrder) short++;
    },
    notes: (): string[] => [
      ...(unspaced * 2 > rows
        ? [`tokenizer ${tokenizer} leaves Chinese, Japanese and Thai text uncut, so equal texts can score 0; use zh or char`]
        : []),
      ...(short > 0 ? [`${short} of ${rows} answers are shorter than the longest n-gram and cannot match it`] : []),
    ],
  };
}

const bleuMetric = defineCorpusMetric({
  name: 'bleu',
  version: '1',
  title: 'BLEU',
  description:
    'Corpus BLEU, equal to sacreBLEU 2.6 under the printed signature; 0 to 100. A row carries its sentence BLEU (effective order).',
  unit: 'score',
  options: bleuOptions,
  prepare: (options) => {
    const references = referenceCounter();
    const watch = bleuWatch(options.tokenizer);
    return {
      columns: [{ name: 'bleu', average: null }],
      statistics: (row) => {
        const accepted = referencesOf(row);
        if (accepted.length === 0) return null;
        references.count(accepted);
        const statistics = bleuStatistics(answerOf(row) ?? '', accepted, options);
        watch.see(accepted, statistics[0]!, options.maxOrder);
        return statistics;
      },
      combine: (sums) => [bleuFromStatistics(sums, options).score],
      rowScore: (statistics) => bleuFromStatistics(statistics, { ...options, effectiveOrder: true }).score,
      signature: () => bleuSignature(references.value(), options),
      notes: watch.notes,
    };
  },
});

const sentenceBleuMetric = defineMeanMetric({
  name: 'sentence_bleu',
  version: '1',
  title: 'Sentence BLEU (mean)',
  description: 'Mean of sentence BLEU with effective order, 0 to 100; not comparable with corpus BLEU.',
  unit: 'score',
  options: bleuOptions,
  prepare: (options) => {
    const settings = { ...options, effectiveOrder: options.effectiveOrder ?? true };
    return {
      score: (row) => sentenceScore(row, (text, accepted) => sentenceBleu(text, accepted, settings).score),
      signature: bleuSignature('var', settings),
    };
  },
});

/** Scores against all references at once, as BLEU and chrF define it. */
function sentenceScore(row: PredictionRow, score: (text: string, references: readonly string[]) => number): number | null {
  const accepted = referencesOf(row);
  if (accepted.length === 0) return null;
  const answer = answerOf(row);
  return answer === null ? 0 : score(answer, accepted);
}

function defineChrf(name: string, title: string, wordOrder: number): Metric {
  return defineCorpusMetric({
    name,
    version: '1',
    title,
    description: `Corpus ${title}, equal to sacreBLEU 2.6 under the printed signature; 0 to 100. A row carries its sentence score.`,
    unit: 'score',
    options: z.strictObject({
      charOrder: z.number().int().min(1).max(12).default(6),
      wordOrder: z.number().int().min(0).max(4).default(wordOrder),
      beta: z.number().int().positive().default(2),
      lowercase: z.boolean().default(false),
      whitespace: z.boolean().default(false),
      epsSmoothing: z.boolean().default(false),
    }),
    prepare: (options) => {
      const references = referenceCounter();
      return {
        columns: [{ name, average: null }],
        statistics: (row) => {
          const accepted = referencesOf(row);
          if (accepted.length === 0) return null;
          references.count(accepted);
          return chrfStatistics(answerOf(row) ?? '', accepted, options);
        },
        combine: (sums) => [chrfFromStatistics(sums, options)],
        rowScore: (statistics) => chrfFromStatistics(statistics, options),
        signature: () => chrfSignature(references.value(), options),
      };
    },
  });
}

const sentenceChrfMetric = defineMeanMetric({
  name: 'sentence_chrf',
  version: '1',
  title: 'Sentence chrF (mean)',
  description: 'Mean of sentence chrF over rows, 0 to 100.',
  unit: 'score',
  options: z.strictObject({ wordOrder: z.number().int().min(0).max(4).default(0), lowercase: z.boolean().default(false) }),
  prepare: (options) => ({
    score: (row) => sentenceScore(row, (text, accepted) => sentenceChrf(text, accepted, options)),
    signature: chrfSignature('var', options),
  }),
});

const editSimilarityMetric = defineMeanMetric({
  name: 'edit_similarity',
  version: '1',
  title: 'Edit similarity',
  description: 'Mean of 1 - Levenshtein distance / longer length, over code points, the best over references.',
  options: z.strictObject({}),
  prepare: () => ({ score: (row) => bestOverReferences(row, editSimilarity) }),
});

export const translationMetrics: readonly Metric[] = [
  bleuMetric,
  sentenceBleuMetric,
  defineChrf('chrf', 'chrF', 0),
  defineChrf('chrf_pp', 'chrF++', 2),
  sentenceChrfMetric,
  editSimilarityMetric,
];
