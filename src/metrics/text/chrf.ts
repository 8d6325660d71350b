// chrF and chrF++ of sentences and corpora, equal to sacreBLEU 2.6 (Popovic 2015 and 2017).
import { sacrebleuVersion } from './bleu.ts';
import { addReference, type NgramTable, ngramCount, sharedTable, takeMatches, Vocabulary } from './ngram-table.ts';
import { removeSpace, splitWords } from './python-text.ts';

export interface ChrfOptions {
  /** @default 6 */
  readonly charOrder?: number | undefined;
  /** 2 makes it chrF++. @default 0 */
  readonly wordOrder?: number | undefined;
  /** Weight of recall. @default 2 */
  readonly beta?: number | undefined;
  /** @default false */
  readonly lowercase?: boolean | undefined;
  /** Count white space as characters. @default false */
  readonly whitespace?: boolean | undefined;
  /** Smooth each order instead of leaving out orders that are too long. @default false */
  readonly epsSmoothing?: boolean | undefined;
}

const epsilon = 1e-16;
const edgePunctuation = /[!-/:-@[-`{-~]/;

interface Settings {
  readonly charOrder: number;
  readonly wordOrder: number;
  readonly beta: number;
  readonly lowercase: boolean;
  readonly whitespace: boolean;
  readonly epsSmoothing: boolean;
}

function settingsOf(options: ChrfOptions): Settings {
  return {
    charOrder: options.charOrder ?? 6,
    wordOrder: options.wordOrder ?? 0,
    beta: options.beta ?? 2,
    lowercase: options.lowercase ?? false,
    whitespace: options.whitespace ?? false,
    epsSmoothing: options.epsSmoothing ?? false,
  };
}

/** Code points as they are: they need no numbering. */
function characterCodes(text: string): Int32Array {
  const codes = new Int32Array(text.length);
  let count = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.codePointAt(index)!;
    if (code > 0xffff) index++;
    codes[count++] = code;
  }
  return codes.subarray(0, count);
}

/** Words with one punctuation mark taken off the end, or else off the start. */
export function chrfWords(text: string): string[] {
  const words: string[] = [];
  for (const word of splitWords(text)) {
    const isSingle = word.length === 1 || (word.length === 2 && word.codePointAt(0)! > 0xffff);
    if (isSingle) words.push(word);
    else if (edgePunctuation.test(word[word.length - 1]!)) words.push(word.slice(0, -1), word[word.length - 1]!);
    else if (edgePunctuation.test(word[0]!)) words.push(word[0]!, word.slice(1));
    else words.push(word);
  }
  return words;
}

interface Encoded {
  readonly characters: Int32Array;
  readonly words: Int32Array;
}

function encode(text: string, settings: Settings, vocabulary: Vocabulary): Encoded {
  const cased = settings.lowercase ? text.toLowerCase() : text;
  return {
    characters: characterCodes(settings.whitespace ? cased : removeSpace(cased)),
    words: vocabulary.encode(settings.wordOrder > 0 ? chrfWords(cased) : []),
  };
}

/** Appends [hypothesis, reference, match] per order. An order that the reference lacks counts no hypothesis n-grams. */
function pushOrders(table: NgramTable, hypothesis: Int32Array, reference: Int32Array, maxOrder: number, statistics: number[]): void {
  const matches = new Array<number>(maxOrder).fill(0);
  table.clear();
  addReference(table, reference, maxOrder);
  takeMatches(table, hypothesis, maxOrder, matches);
  for (let order = 1; order <= maxOrder; order++) {
    const expected = ngramCount(reference.length, order);
    statistics.push(expected > 0 ? ngramCount(hypothesis.length, order) : 0, expected, matches[order - 1]!);
  }
}

/** Statistics against the best of the references: 3 numbers per order, characters first. They add up over a corpus. */
export function chrfStatistics(hypothesis: string, references: readonly string[], options: ChrfOptions = {}): number[] {
  const settings = settingsOf(options);
  const vocabulary = new Vocabulary();
  const predicted = encode(hypothesis, settings, vocabulary);
  let best: number[] = [];
  let bestScore = -1;
  for (const reference of references) {
    const expected = encode(reference, settings, vocabulary);
    const statistics: number[] = [];
    pushOrders(sharedTable, predicted.characters, expected.characters, settings.charOrder, statistics);
    if (settings.wordOrder > 0) pushOrders(sharedTable, predicted.words, expected.words, settings.wordOrder, statistics);
    const score = references.length === 1 ? 0 : chrfFromStatistics(statistics, options);
    if (score > bestScore) {
      bestScore = score;
      best = statistics;
    }
  }
  return best;
}

/** The score of summed statistics, 0 to 100. */
export function chrfFromStatistics(statistics: readonly number[], options: ChrfOptions = {}): number {
  const settings = settingsOf(options);
  const factor = settings.beta ** 2;
  const orders = settings.charOrder + settings.wordOrder;
  let smoothed = 0;
  let precisionSum = 0;
  let recallSum = 0;
  let effectiveOrder = 0;
  for (let order = 0; order < orders; order++) {
    const predicted = statistics[3 * order]!;
    const expected = statistics[3 * order + 1]!;
    const matches = statistics[3 * order + 2]!;
    const precision = predicted > 0 ? matches / predicted : epsilon;
    const recall = expected > 0 ? matches / expected : epsilon;
    const divisor = factor * precision + recall;
    smoothed += divisor > 0 ? ((1 + factor) * precision * recall) / divisor : epsilon;
    if (predicted === 0 || expected === 0) continue;
    precisionSum += precision;
    recallSum += recall;
    effectiveOrder++;
  }
  if (settings.epsSmoothing) return (100 * smoothed) / orders;
  if (effectiveOrder === 0 || precisionSum + recallSum === 0) return 0;
  const precision = precisionSum / effectiveOrder;
  const recall = recallSum / effectiveOrder;
  return (100 * ((1 + factor) * precision * recall)) / (factor * precision + recall);
}

export function sentenceChrf(hypothesis: string, references: readonly string[], options: ChrfOptions = {}): number {
  return chrfFromStatistics(chrfStatistics(hypothesis, references, options), options);
}

/** sacreBLEU's signature; `referenceCount` is `var` where rows differ. */
export function chrfSignature(referenceCount: number | 'var', options: ChrfOptions = {}): string {
  const settings = settingsOf(options);
  return [
    `nrefs:${referenceCount}`,
    `case:${settings.lowercase ? 'lc' : 'mixed'}`,
    `eff:${settings.epsSmoothing ? 'no' : 'yes'}`,
    `nc:${settings.charOrder}`,
    `nw:${settings.wordOrder}`,
    `space:${settings.whitespace ? 'yes' : 'no'}`,
    `version:${sacrebleuVersion}`,
  ].join('|');
}
