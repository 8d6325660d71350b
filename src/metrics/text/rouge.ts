// ROUGE-1, ROUGE-2, ROUGE-L and ROUGE-Lsum, equal to rouge-score 0.1.2 (Lin, "ROUGE", 2004, sections 2 and 3).
import { lcsLength, markLcs } from './lcs.ts';
import { addReference, ngramCount, sharedTable, takeMatches, Vocabulary } from './ngram-table.ts';
import { porterStem } from './porter-stemmer.ts';

export const rougeKinds = ['rouge1', 'rouge2', 'rougeL', 'rougeLsum'] as const;
export type RougeKind = (typeof rougeKinds)[number];

/**
 * `rouge_score`: lower case, runs of [a-z0-9]; every other letter is lost. `unicode`: lower case, runs of letters, marks
 * and digits of any script, with Han, Kana, Hangul, Thai, Lao, Khmer and Burmese text cut into characters.
 */
export const rougeTokenizers = ['rouge_score', 'unicode'] as const;
export type RougeTokenizer = (typeof rougeTokenizers)[number];

export interface RougeOptions {
  /** @default 'rouge_score' */
  readonly tokenizer?: RougeTokenizer | undefined;
  /** Porter stemmer on words of more than three letters. @default false */
  readonly stemmer?: boolean | undefined;
}

export interface OverlapScore {
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

const asciiWord = /[a-z0-9]+/g;
const unicodeWord =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]\p{M}*|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])[\p{L}\p{M}\p{N}])+/gu;

export function rougeTokens(text: string, options: RougeOptions = {}): readonly string[] {
  const words = text.toLowerCase().match(options.tokenizer === 'unicode' ? unicodeWord : asciiWord) ?? [];
  return options.stemmer ? words.map((word) => (word.length > 3 ? porterStem(word) : word)) : words;
}

/**
 * Share of letters and digits that the tokenizer keeps, 0 to 1; 1 for a text without any.
 * Below one half the `rouge_score` tokenizer scores something other than the text.
 */
export function keptShare(text: string, options: RougeOptions = {}): number {
  const all = text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;
  if (all === 0 || options.tokenizer === 'unicode') return 1;
  return (text.toLowerCase().match(/[a-z0-9]/g)?.length ?? 0) / all;
}

function overlapScore(hits: number, predicted: number, expected: number): OverlapScore {
  const precision = hits / Math.max(predicted, 1);
  const recall = hits / Math.max(expected, 1);
  return { precision, recall, f1: precision + recall > 0 ? (2 * precision * recall) / (precision + recall) : 0 };
}

/** Scores of one prediction against one reference, for the kinds asked for. */
export function rouge<Kind extends RougeKind>(
  prediction: string,
  reference: string,
  kinds: readonly Kind[],
  options: RougeOptions = {},
): Readonly<Record<Kind, OverlapScore>> {
  const vocabulary = new Vocabulary();
  const expected = vocabulary.encode(rougeTokens(reference, options));
  const predicted = vocabulary.encode(rougeTokens(prediction, options));
  const scores = {} as Record<RougeKind, OverlapScore>;
  const wanted: readonly RougeKind[] = kinds;
  if (wanted.includes('rouge1') || wanted.includes('rouge2')) {
    const matches = [0, 0];
    sharedTable.clear();
    addReference(sharedTable, expected, 2);
    takeMatches(sharedTable, predicted, 2, matches);
    scores.rouge1 = overlapScore(matches[0]!, predicted.length, expected.length);
    scores.rouge2 = overlapScore(matches[1]!, ngramCount(predicted.length, 2), ngramCount(expected.length, 2));
  }
  if (wanted.includes('rougeL'))
    scores.rougeL = overlapScore(lcsLength(expected, predicted, vocabulary.size), predicted.length, expected.length);
  if (wanted.includes('rougeLsum')) scores.rougeLsum = summaryLevel(prediction, reference, options);
  return scores;
}

/** Union of the subsequences that each reference sentence shares with all predicted sentences; sentences stand on lines of their own. */
function summaryLevel(prediction: string, reference: string, options: RougeOptions): OverlapScore {
  const vocabulary = new Vocabulary();
  const encodeLines = (text: string) => text.split('\n').map((line) => vocabulary.encode(rougeTokens(line, options)));
  const expected = encodeLines(reference);
  const predicted = encodeLines(prediction);
  // One line each: the union is the subsequence itself.
  if (expected.length === 1 && predicted.length === 1) {
    return overlapScore(lcsLength(expected[0]!, predicted[0]!, vocabulary.size), predicted[0]!.length, expected[0]!.length);
  }
  const expectedLeft = countCodes(expected, vocabulary.size);
  const predictedLeft = countCodes(predicted, vocabulary.size);
  let hits = 0;
  for (const sentence of expected) {
    const marks = new Uint8Array(sentence.length);
    for (const candidate of predicted) markLcs(sentence, candidate, marks);
    for (let index = 0; index < sentence.length; index++) {
      const code = sentence[index]!;
      if (marks[index] === 0 || predictedLeft[code]! <= 0 || expectedLeft[code]! <= 0) continue;
      hits++;
      predictedLeft[code]!--;
      expectedLeft[code]!--;
    }
  }
  return overlapScore(hits, totalLength(predicted), totalLength(expected));
}

function countCodes(sentences: readonly Int32Array[], size: number): Int32Array {
  const counts = new Int32Array(size);
  for (const sentence of sentences) for (const code of sentence) counts[code]!++;
  return counts;
}

function totalLength(sentences: readonly Int32Array[]): number {
  return sentences.reduce((sum, sentence) => sum + sentence.length, 0);
}
