// Multiple choice by log-likelihood: accuracy under four normalisations, Brier score, TruthfulQA mc1 and mc2.
import type { Metric, MetricOptions } from '../core/metric.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { isRight } from './accuracy.ts';
import { type ChoiceNorm, choiceProbabilities, creditOf, pickOfRow, tieOptions, tiePolicy } from './choice-score.ts';
import { type MeanScoring, meanMetric } from './mean-metric.ts';
import { readUseOptions } from './use-options.ts';

function hasGold(row: PredictionRow): boolean {
  return row.gold !== undefined && row.gold.length > 0;
}

/** Scores picks and keeps count of ties and of rows without a defined pick. */
function pickScoring(name: string, norm: ChoiceNorm, options: MetricOptions): MeanScoring {
  const ties = tiePolicy(readUseOptions(name, options.use, tieOptions));
  let tied = 0;
  let undefinedRows = 0;
  const score = (row: PredictionRow): number | null => {
    if (!hasGold(row)) return isRight(row);
    // Letter tasks have a picked index but no choice scores; an invalid answer is wrong.
    if (row.choices === undefined) return norm === 'none' || row.outcome.kind !== 'scored' ? isRight(row) : null;
    const pick = pickOfRow(row, norm);
    if (pick.kind === 'undefined') {
      undefinedRows++;
      return null;
    }
    if (pick.best.length > 1) tied++;
    return creditOf(pick.best, row.gold!, ties);
  };
  const details = () => ({
    ties: tied,
    ...(undefinedRows > 0
      ? { notes: [`${undefinedRows} rows have an empty choice or a score that is no number and cannot be ranked`] }
      : {}),
  });
  return { score, details };
}

function pickMetric(name: string, norm: ChoiceNorm, title: string, description: string): Metric {
  return meanMetric({ name, title, description, prepare: (options) => pickScoring(name, norm, options) });
}

/** Sum over the choices of (p - y)^2 (Brier 1950), y spread evenly over several gold choices. */
function brier(row: PredictionRow): number | null {
  const probabilities = hasGold(row) ? choiceProbabilities(row.choices ?? []) : null;
  if (probabilities === null) return null;
  return probabilities.reduce((total, p, index) => total + (p - (row.gold!.includes(index) ? 1 / row.gold!.length : 0)) ** 2, 0);
}

/** Probability mass of the true answers (TruthfulQA, Lin et al. 2022, section 3). */
function trueMass(row: PredictionRow): number | null {
  const probabilities = hasGold(row) ? choiceProbabilities(row.choices ?? []) : null;
  return probabilities === null ? null : probabilities.reduce((total, p, index) => total + (row.gold!.includes(index) ? p : 0), 0);
}

/** Is the most likely continuation, token by token, a gold one (LAMBADA)? */
function greedyMatch(row: PredictionRow): number | null {
  if (row.choices === undefined || row.choices.length === 0) return null;
  const gold = hasGold(row) ? row.gold! : [0];
  return gold.some((index) => row.choices![index]?.greedy === true) ? 1 : 0;
}

const plain = (name: string, score: (row: PredictionRow) => number | null) => (options: MetricOptions) => {
  readUseOptions(name, options.use, tieOptions);
  return { score };
};

export const choiceMetrics: readonly Metric[] = [
  pickMetric(
    'acc',
    'none',
    'Accuracy (likelihood)',
    'the gold choice has the highest log-likelihood; letter tasks: the picked letter is right',
  ),
  pickMetric(
    'acc_norm',
    'characters',
    'Accuracy (per character)',
    'highest log-likelihood / Unicode code points of the choice without its leading space',
  ),
  pickMetric('acc_bytes', 'bytes', 'Accuracy (per byte)', 'highest log-likelihood / UTF-8 bytes of the choice without its leading space'),
  pickMetric(
    'acc_mutual_info',
    'mutual-information',
    'Accuracy (mutual information)',
    'highest log P(choice | context) - log P(choice | nothing)',
  ),
  pickMetric('mc1', 'none', 'MC1', 'TruthfulQA mc1: the one true answer has the highest log-likelihood'),
  meanMetric({
    name: 'mc2',
    title: 'MC2',
    description: 'TruthfulQA mc2: share of probability on the true answers, by log-sum-exp',
    scale: 'bounded',
    prepare: plain('mc2', trueMass),
  }),
  meanMetric({
    name: 'brier',
    title: 'Brier score',
    description:
      'squared distance between choice probabilities (softmax of log-likelihoods) and the truth, summed over choices (Brier 1950)',
    higherIsBetter: false,
    unit: 'score',
    scale: 'mean',
    prepare: plain('brier', brier),
  }),
  meanMetric({
    name: 'acc_greedy',
    title: 'Greedy accuracy',
    description: 'the gold continuation is what greedy decoding would write',
    prepare: plain('acc_greedy', greedyMatch),
  }),
];
