// IFEval: keywords, letters and how long a response is.

import { pythonRegex } from '../../metrics/text/python-regex.ts';
import { splitWords, strip } from '../../metrics/text/python-text.ts';
import { countSentences } from './approximations.ts';
import { type Checker, compare, listArgument, numberArgument, textArgument } from './instruction.ts';

/** Pieces of a split by a Python pattern. */
export function splitBy(text: string, pattern: string): string[] {
  return text.split(pythonRegex(pattern));
}

export function countHits(text: string, pattern: string, flags = ''): number {
  return [...text.matchAll(pythonRegex(pattern, `g${flags}`))].length;
}

/** Keywords are patterns in the original, so they are here. */
const existence: Checker = (response, args) => {
  const keywords = listArgument(args, 'keywords');
  return keywords === null ? null : keywords.every((keyword) => pythonRegex(keyword, 'i').test(response));
};

const frequency: Checker = (response, args) => {
  const keyword = textArgument(args, 'keyword');
  if (keyword === null) return null;
  return compare(countHits(response, strip(keyword), 'i'), numberArgument(args, 'frequency'), textArgument(args, 'relation'));
};

const forbidden: Checker = (response, args) => {
  const words = listArgument(args, 'forbidden_words');
  return words === null ? null : !words.some((word) => pythonRegex(`\\b${word}\\b`, 'i').test(response));
};

const letterFrequency: Checker = (response, args) => {
  const letter = textArgument(args, 'letter');
  if (letter === null || !/^[a-z]$/iu.test(letter)) return null;
  const count = [...response.toLowerCase()].filter((character) => character === letter.toLowerCase()).length;
  const limit = numberArgument(args, 'let_frequency');
  const relation = textArgument(args, 'let_relation');
  return compare(count, limit, relation);
};

const words: Checker = (response, args) =>
  compare(countHits(response, '\\w+'), numberArgument(args, 'num_words'), textArgument(args, 'relation'));

const sentences: Checker = (response, args) =>
  compare(countSentences(response), numberArgument(args, 'num_sentences'), textArgument(args, 'relation'));

/** Paragraphs between `***`; blank pieces count at neither end and fail in the middle. */
const paragraphs: Checker = (response, args) => {
  const wanted = numberArgument(args, 'num_paragraphs');
  if (wanted === null) return null;
  const pieces = splitBy(response, '\\s?\\*\\*\\*\\s?');
  const isBlank = pieces.map((piece) => strip(piece) === '');
  if (isBlank.slice(1, -1).includes(true)) return false;
  return isBlank.filter((blank) => !blank).length === wanted;
};

/** The n-th paragraph is counted with blank ones, their number without: both as in the original. */
const nthFirstWord: Checker = (response, args) => {
  const wanted = numberArgument(args, 'num_paragraphs');
  const nth = numberArgument(args, 'nth_paragraph');
  const firstWord = textArgument(args, 'first_word');
  if (wanted === null || nth === null || nth === 0 || firstWord === null) return null;
  const pieces = response.split('\n\n');
  const count = pieces.filter((piece) => strip(piece) !== '').length;
  const paragraph = nth <= count ? strip(pieces[nth - 1]!) : '';
  if (paragraph === '') return false;
  const word = splitWords(paragraph)[0]!.replace(/^'+/u, '').replace(/^"+/u, '');
  const bare = word.split(/[.,?!'"]/u, 1)[0]!.toLowerCase();
  return count === wanted && bare === firstWord.toLowerCase();
};

export const wordCheckers: Readonly<Record<string, Checker>> = {
  'keywords:existence': existence,
  'keywords:frequency': frequency,
  'keywords:forbidden_words': forbidden,
  'keywords:letter_frequency': letterFrequency,
  'length_constraints:number_words': words,
  'length_constraints:number_sentences': sentences,
  'length_constraints:number_paragraphs': paragraphs,
  'length_constraints:nth_paragraph_first_word': nthFirstWord,
};
