// BLEU of sentences and corpora, equal to sacreBLEU 2.6 (Papineni et al. 2002; smoothing: Chen and Cherry, WMT 2014).
import { type BleuTokenizer, bleuTokens } from './bleu-tokenizers.ts';
import { addReference, ngramCount, raiseToReference, sharedTable, takeMatches, Vocabulary } from './ngram-table.ts';
import { stripEnd } from './python-text.ts';

export const bleuSmoothings = ['exp', 'floor', 'add-k', 'none'] as const;
export type BleuSmoothing = (typeof bleuSmoothings)[number];

export interface BleuOptions {
  /** @default '13a' */
  readonly tokenizer?: BleuTokenizer | undefined;
  /** @default false */
  readonly lowercase?: boolean | undefined;
  /** @default 'exp' */
  readonly smoothing?: BleuSmoothing | undefined;
  /** Of `floor` (default 0.1) and `add-k` (default 1). */
  readonly smoothingValue?: number | undefined;
  /** Leave out orders that the hypothesis is too short for. @default false, as sacreBLEU's corpus score */
  readonly effectiveOrder?: boolean | undefined;
  /** @default 4 */
  readonly maxOrder?: number | undefined;
}

export interface BleuScore {
  /** 0 to 100. */
  readonly score: number;
  /** Percent, by order. */
  readonly precisions: readonly number[];
  readonly brevityPenalty: number;
  readonly hypothesisLength: number;
  readonly referenceLength: number;
}

/** Sufficient statistics of any number of sentences, added up: hypothesis length, reference length, matches and totals by order. */
export type BleuStatistics = readonly number[];

const defaultMaxOrder = 4;
const smoothingDefaults: Readonly<Partial<Record<BleuSmoothing, number>>> = { floor: 0.1, 'add-k': 1 };
/** Stands for log 0, so that one missing order drives the score to 0 without a NaN. */
const logOfZero = -9999999999;

/** Statistics of one hypothesis. With several references an n-gram may match as often as it occurs in one of them. */
export function bleuStatistics(hypothesis: string, references: readonly string[], options: BleuOptions = {}): number[] {
  const maxOrder = options.maxOrder ?? defaultMaxOrder;
  const vocabulary = new Vocabulary();
  const encode = (text: string) =>
    vocabulary.encode(bleuTokens(stripEnd(options.lowercase ? text.toLowerCase() : text), options.tokenizer ?? '13a'));
  sharedTable.clear();
  const lengths = references.map((reference, index) => {
    const codes = encode(reference);
    (index === 0 ? addReference : raiseToReference)(sharedTable, codes, maxOrder);
    return codes.length;
  });
  const predicted = encode(hypothesis);
  const matches = new Array<number>(maxOrder).fill(0);
  takeMatches(sharedTable, predicted, maxOrder, matches);
  const totals = matches.map((_, index) => ngramCount(predicted.length, index + 1));
  return [predicted.length, closestLength(predicted.length, lengths), ...matches, ...totals];
}

function closestLength(length: number, candidates: readonly number[]): number {
  let best = -1;
  for (const candidate of candidates) {
    const difference = Math.abs(candidate - length) - Math.abs(best - length);
    if (best < 0 || difference < 0 || (difference === 0 && candidate < best)) best = candidate;
  }
  return best;
}

/** The score of summed statistics. */
export function bleuFromStatistics(statistics: BleuStatistics, options: BleuOptions = {}): BleuScore {
  const maxOrder = options.maxOrder ?? defaultMaxOrder;
  const smoothing = options.smoothing ?? 'exp';
  const smoothingValue = options.smoothingValue ?? smoothingDefaults[smoothing] ?? 0;
  const hypothesisLength = statistics[0]!;
  const referenceLength = statistics[1]!;
  const brevityPenalty =
    hypothesisLength >= referenceLength ? 1 : hypothesisLength > 0 ? Math.exp(1 - referenceLength / hypothesisLength) : 0;
  const precisions = new Array<number>(maxOrder).fill(0);
  const result = { precisions, brevityPenalty, hypothesisLength, referenceLength };
  if (!statistics.slice(2, 2 + maxOrder).some((matches) => matches > 0)) return { score: 0, ...result };
  let effectiveOrder = maxOrder;
  let halving = 1;
  for (let order = 1; order <= maxOrder; order++) {
    const added = smoothing === 'add-k' && order > 1 ? smoothingValue : 0;
    const matches = statistics[1 + order]! + added;
    const total = statistics[1 + maxOrder + order]! + added;
    if (total === 0) break;
    if (options.effectiveOrder) effectiveOrder = order;
    if (matches > 0) precisions[order - 1] = (100 * matches) / total;
    else if (smoothing === 'exp') precisions[order - 1] = 100 / ((halving *= 2) * total);
    else if (smoothing === 'floor') precisions[order - 1] = (100 * smoothingValue) / total;
  }
  let logs = 0;
  for (let index = 0; index < effectiveOrder; index++) logs += precisions[index] === 0 ? logOfZero : Math.log(precisions[index]!);
  return { score: brevityPenalty * Math.exp(logs / effectiveOrder), ...result };
}

/** BLEU of one sentence; effective order is on, as short answers would be 0 without it. */
export function sentenceBleu(hypothesis: string, references: readonly string[], options: BleuOptions = {}): BleuScore {
  const settings = { effectiveOrder: true, ...options };
  return bleuFromStatistics(bleuStatistics(hypothesis, references, settings), settings);
}

/** BLEU of a corpus: statistics are added up over sentences first; it is no mean of sentence scores. */
export function corpusBleu(
  hypotheses: readonly string[],
  references: readonly (readonly string[])[],
  options: BleuOptions = {},
): BleuScore {
  const width = 2 + 2 * (options.maxOrder ?? defaultMaxOrder);
  const sums = new Array<number>(width).fill(0);
  hypotheses.forEach((hypothesis, row) => {
    bleuStatistics(hypothesis, references[row] ?? [], options).forEach((value, index) => {
      sums[index]! += value;
    });
  });
  return bleuFromStatistics(sums, options);
}

/** Version of sacreBLEU whose definition this is. */
export const sacrebleuVersion = '2.6.0';

/** sacreBLEU's signature; `referenceCount` is `var` where rows differ. */
export function bleuSignature(referenceCount: number | 'var', options: BleuOptions = {}): string {
  const smoothing = options.smoothing ?? 'exp';
  const value = options.smoothingValue ?? smoothingDefaults[smoothing];
  const smooth = value === undefined || smoothingDefaults[smoothing] === undefined ? smoothing : `${smoothing}[${value.toFixed(2)}]`;
  return [
    `nrefs:${referenceCount}`,
    `case:${options.lowercase ? 'lc' : 'mixed'}`,
    `eff:${options.effectiveOrder ? 'yes' : 'no'}`,
    `tok:${options.tokenizer ?? '13a'}`,
    `smooth:${smooth}`,
    `version:${sacrebleuVersion}`,
  ].join('|');
}
