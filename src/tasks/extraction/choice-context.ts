// One output prepared for reading a choice: folded text, words, candidate letters and option texts, each computed once.
import { bareText, comparable, foldText } from './fold-text.ts';
import { type NegatedLetters, negatedLetters } from './letter-negation.ts';
import { type OptionLabels, type OptionLetter, optionLabels, optionLetterAt } from './option-letters.ts';
import { splitWords, type Word } from './words.ts';

export interface ChoiceContext {
  readonly text: string;
  readonly words: readonly Word[];
  readonly labels: OptionLabels;
  /** Candidate per word index. */
  readonly letterAt: ReadonlyMap<number, OptionLetter>;
  readonly letters: readonly OptionLetter[];
  /** Word indices whose letter the text rejects. */
  readonly negated: NegatedLetters;
  readonly options: OptionTexts;
}

export interface OptionTexts {
  readonly comparable: readonly string[];
  readonly bare: readonly string[];
}

const cache = new WeakMap<readonly string[], OptionTexts>();
const labelCache = new WeakMap<readonly string[], OptionLabels>();
const defaultLabels = new Map<number, OptionLabels>();

function optionTexts(options: readonly string[]): OptionTexts {
  let texts = cache.get(options);
  if (texts === undefined) {
    texts = { comparable: options.map(comparable), bare: options.map(bareText) };
    cache.set(options, texts);
  }
  return texts;
}

function labelsOf(count: number, letters: readonly string[] | undefined): OptionLabels {
  if (letters !== undefined) {
    let labels = labelCache.get(letters);
    if (labels === undefined || labels.count !== count) {
      labels = optionLabels(count, letters);
      labelCache.set(letters, labels);
    }
    return labels;
  }
  let labels = defaultLabels.get(count);
  if (labels === undefined) {
    labels = optionLabels(count);
    defaultLabels.set(count, labels);
  }
  return labels;
}

export function choiceContext(answer: string, options: readonly string[], letters: readonly string[] | undefined): ChoiceContext {
  const text = foldText(answer);
  const words = splitWords(text);
  const labels = labelsOf(options.length, letters);
  const texts = optionTexts(options);
  const letterAt = new Map<number, OptionLetter>();
  for (let at = 0; at < words.length; at++) {
    const letter = optionLetterAt(text, words, at, labels);
    if (letter !== undefined) letterAt.set(at, letter);
  }
  return {
    text,
    words,
    labels,
    letterAt,
    letters: [...letterAt.values()],
    negated: negatedLetters(text, words, letterAt, texts),
    options: texts,
  };
}
