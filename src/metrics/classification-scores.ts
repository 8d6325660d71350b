// Accuracy, precision, recall, F1, MCC and kappa from counts, equal to scikit-learn restricted to the declared labels, with its zero_division 0 or nan.
import type { Confusion } from './confusion.ts';

export const averages = ['micro', 'macro', 'weighted', 'macro-present', 'positive'] as const;
export type Average = (typeof averages)[number];
export const rates = ['precision', 'recall', 'f1'] as const;
export type Rate = (typeof rates)[number];

/** Places of the scores in the vector that `writeScores` fills. */
export const scorePlace = { accuracy: 0, balanced_accuracy: 1, mcc: 2, cohen_kappa: 3, coverage: 4 } as const;
const firstRate = 5;
export const scoreWidth = firstRate + rates.length * averages.length;

export function ratePlace(rate: Rate, average: Average): number {
  return firstRate + averages.indexOf(average) * rates.length + rates.indexOf(rate);
}

/** Place of `accuracy`, `f1:macro`, `recall:weighted`...; undefined for an unknown name. A rate without an average is macro. */
export function placeOfScore(reference: string): number | undefined {
  if (Object.hasOwn(scorePlace, reference)) return scorePlace[reference as keyof typeof scorePlace];
  const [rate, average = 'macro'] = reference.split(':');
  const known = rates.find((one) => one === rate) !== undefined && averages.find((one) => one === average) !== undefined;
  return known ? ratePlace(rate as Rate, average as Average) : undefined;
}

/** Every name that `placeOfScore` knows, except the positive class. */
export function scoreNames(): string[] {
  return [
    ...Object.keys(scorePlace),
    ...rates.flatMap((rate) => averages.filter((one) => one !== 'positive').map((one) => `${rate}:${one}`)),
  ];
}

export interface ClassTotals {
  readonly truePositives: Float64Array;
  readonly predicted: Float64Array;
  readonly support: Float64Array;
}

function ratio(part: number, whole: number, otherwise = 0): number {
  return whole === 0 ? otherwise : part / whole;
}

function emptyTotals(size: number): ClassTotals {
  return { truePositives: new Float64Array(size), predicted: new Float64Array(size), support: new Float64Array(size) };
}

/** Per class: right predictions, all predictions, gold rows. Index `labels.length` holds what is outside the labels. */
export function classTotals(confusion: Confusion, counts: Float64Array = confusion.counts, into?: ClassTotals): ClassTotals {
  const totals = into ?? emptyTotals(confusion.labels.length + 1);
  totals.truePositives.fill(0);
  totals.predicted.fill(0);
  totals.support.fill(0);
  for (let cell = 0; cell < counts.length; cell++) {
    const count = counts[cell]!;
    totals.support[confusion.gold[cell]!]! += count;
    totals.predicted[confusion.predicted[cell]!]! += count;
    if (confusion.correct[cell] === 1) totals.truePositives[confusion.gold[cell]!]! += count;
  }
  return totals;
}

function writeRates(into: Float64Array, average: Average, precision: number, recall: number, f1: number): void {
  into[ratePlace('precision', average)] = precision;
  into[ratePlace('recall', average)] = recall;
  into[ratePlace('f1', average)] = f1;
}

/** What a rate is whose divisor is 0, scikit-learn's `zero_division`: 0, or undefined (NaN) and left out of averages. */
export type ZeroDivision = 0 | 'nan';

/** Sums of one rate over the classes where it is defined. */
interface RateSums {
  plain: number;
  weighted: number;
  classes: number;
  weight: number;
}

function addRate(sums: RateSums, value: number, support: number): void {
  if (Number.isNaN(value)) return;
  sums.plain += value;
  sums.weighted += value * support;
  sums.classes++;
  sums.weight += support;
}

/** The mean by support; the plain one where no class with a defined rate has any (scikit-learn). */
function weightedMean(sums: RateSums, undefinedRate: number): number {
  if (sums.weight > 0) return sums.weighted / sums.weight;
  return Number.isNaN(undefinedRate) ? ratio(sums.plain, sums.classes, undefinedRate) : undefinedRate;
}

function writeAverages(totals: ClassTotals, size: number, positive: number, zeroDivision: ZeroDivision, into: Float64Array): void {
  const none = zeroDivision === 'nan' ? Number.NaN : 0;
  const sums = { right: 0, predicted: 0, support: 0, present: 0, withSupport: 0 };
  const bySums = rates.map((): RateSums => ({ plain: 0, weighted: 0, classes: 0, weight: 0 }));
  for (let index = 0; index < size; index++) {
    const right = totals.truePositives[index]!;
    const predicted = totals.predicted[index]!;
    const support = totals.support[index]!;
    const precision = ratio(right, predicted, none);
    const recall = ratio(right, support, none);
    const f1 = ratio(2 * right, predicted + support, none);
    addRate(bySums[0]!, precision, support);
    addRate(bySums[1]!, recall, support);
    addRate(bySums[2]!, f1, support);
    sums.right += right;
    sums.predicted += predicted;
    sums.support += support;
    if (predicted + support > 0) sums.present++;
    if (support > 0) sums.withSupport++;
    if (index === positive) writeRates(into, 'positive', precision, recall, f1);
  }
  const { right, predicted, support } = sums;
  writeRates(into, 'micro', ratio(right, predicted, none), ratio(right, support, none), ratio(2 * right, predicted + support, none));
  const [precision, recall, f1] = bySums as [RateSums, RateSums, RateSums];
  const macro = (rate: RateSums) => ratio(rate.plain, rate.classes, none);
  const present = (rate: RateSums) => (zeroDivision === 'nan' ? macro(rate) : ratio(rate.plain, sums.present));
  writeRates(into, 'macro', macro(precision), macro(recall), macro(f1));
  writeRates(into, 'weighted', weightedMean(precision, none), weightedMean(recall, none), weightedMean(f1, none));
  writeRates(into, 'macro-present', present(precision), present(recall), present(f1));
  into[scorePlace.balanced_accuracy] = ratio(recall.plain, sums.withSupport);
}

/** MCC (Gorodkin 2004) and Cohen's kappa (1960) with invalid predictions as one further class that is never right. */
function writeAgreement(totals: ClassTotals, size: number, correct: number, total: number, into: Float64Array): void {
  let shared = 0;
  let goldSquares = 0;
  let predictedSquares = 0;
  for (let index = 0; index <= size; index++) {
    const gold = totals.support[index]!;
    const predicted = totals.predicted[index]!;
    if (index < size) shared += gold * predicted;
    goldSquares += gold * gold;
    predictedSquares += predicted * predicted;
  }
  const covariance = correct * total - shared;
  const spread = (total * total - predictedSquares) * (total * total - goldSquares);
  into[scorePlace.mcc] = spread <= 0 ? 0 : covariance / Math.sqrt(spread);
  const expected = shared / (total * total);
  into[scorePlace.cohen_kappa] = expected === 1 ? Number.NaN : (correct / total - expected) / (1 - expected);
}

/** All scores of a table of counts, over the cells of `confusion`. `positive` is a class number or -1. */
export function writeScores(
  confusion: Confusion,
  counts: Float64Array,
  positive: number,
  into: Float64Array,
  scratch: ClassTotals = emptyTotals(confusion.labels.length + 1),
  zeroDivision: ZeroDivision = 0,
): void {
  const size = confusion.labels.length;
  const totals = classTotals(confusion, counts, scratch);
  into.fill(Number.NaN);
  let total = 0;
  let correct = 0;
  let valid = 0;
  for (let cell = 0; cell < counts.length; cell++) {
    total += counts[cell]!;
    if (confusion.correct[cell] === 1) correct += counts[cell]!;
    if (confusion.predicted[cell]! < size) valid += counts[cell]!;
  }
  if (total === 0) return;
  into[scorePlace.accuracy] = correct / total;
  into[scorePlace.coverage] = valid / total;
  writeAverages(totals, size, positive, zeroDivision, into);
  writeAgreement(totals, size, correct, total, into);
}

/** Room for `writeScores` to work in, so that a bootstrap allocates nothing per resample. */
export function scoresScratch(confusion: Confusion): ClassTotals {
  return emptyTotals(confusion.labels.length + 1);
}
