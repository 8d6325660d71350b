// Metrics for short answers: exact match, contains, regex, token F1.
import { z } from 'zod';
import type { PredictionRow } from '../../core/prediction.ts';
import { answerTokenizers } from './answer-tokens.ts';
import { exactMatch, exactMatchIgnoring } from './exact-match.ts';
import { defineMeanMetric } from './mean-metric.ts';
import { normaliseAnswer, normalisers } from './normalise-answer.ts';
import { pythonRegex } from './python-regex.ts';
import { answerOf, referencesOf } from './row-text.ts';
import { tokenF1 } from './token-f1.ts';

/** The best score over the accepted references; 0 for an invalid answer, null without any reference. */
export function bestOverReferences(row: PredictionRow, score: (prediction: string, reference: string) => number): number | null {
  const references = referencesOf(row);
  if (references.length === 0) return null;
  const prediction = answerOf(row);
  if (prediction === null) return 0;
  let best = 0;
  for (const reference of references) best = Math.max(best, score(prediction, reference));
  return best;
}

const normaliser = z.enum(normalisers).default('native');

export const exactMatchMetric = defineMeanMetric({
  name: 'exact_match',
  version: '1',
  title: 'Exact match',
  description:
    'Share of answers equal to a reference after normalising. `normaliser`: strict, trim, squad (SQuAD 1.1 script) or native (the same, numbers and one-letter answers kept). ' +
    "Any `ignore...` or `regexesToIgnore` option selects lm-eval's exact_match instead.",
  options: z.strictObject({
    normaliser: z.enum(normalisers).optional(),
    caseFold: z.boolean().optional(),
    ignoreCase: z.boolean().optional(),
    ignorePunctuation: z.boolean().optional(),
    ignoreNumbers: z.boolean().optional(),
    /** Python patterns, deleted on both sides in order. */
    regexesToIgnore: z.array(z.string()).optional(),
  }),
  prepare: (options) => {
    const { normaliser: chosen, caseFold, regexesToIgnore, ...flags } = options;
    const ignores = regexesToIgnore !== undefined || Object.values(flags).some((flag) => flag !== undefined);
    if (ignores && chosen === undefined && caseFold === undefined) {
      const ignoring = { ...flags, regexesToIgnore: regexesToIgnore?.map((pattern) => pythonRegex(pattern, 'g')) };
      const set = Object.entries(flags).flatMap(([name, flag]) => (flag ? [name] : []));
      return {
        score: (row) => bestOverReferences(row, (prediction, reference) => Number(exactMatchIgnoring(prediction, reference, ignoring))),
        signature: ['norm:lm-eval', ...set, ...(regexesToIgnore ?? []).map((pattern) => `/${pattern}/`)].join('|'),
      };
    }
    const settings = { normaliser: chosen ?? ('native' as const), caseFold };
    return {
      score: (row) => bestOverReferences(row, (prediction, reference) => Number(exactMatch(prediction, reference, settings))),
      signature: `norm:${settings.normaliser}${caseFold ? '|fold' : ''}`,
    };
  },
});

export const containsMetric = defineMeanMetric({
  name: 'contains',
  version: '1',
  title: 'Contains',
  description: 'Share of answers that contain a reference as whole words after normalising (`wholeWords: false`: as any substring).',
  options: z.strictObject({ normaliser, wholeWords: z.boolean().default(true) }),
  prepare: ({ normaliser: chosen, wholeWords }) => ({
    score: (row) =>
      bestOverReferences(row, (prediction, reference) =>
        Number(containsText(normaliseAnswer(prediction, chosen), normaliseAnswer(reference, chosen), wholeWords)),
      ),
    signature: `norm:${chosen}|${wholeWords ? 'words' : 'substring'}`,
  }),
});

const wordCharacter = /[\p{L}\p{N}\p{M}_]/u;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** An empty needle is contained in an empty text only. Scripts without spaces have no word ends to respect. */
export function containsText(text: string, needle: string, wholeWords: boolean): boolean {
  if (needle === '') return text === '';
  for (let at = text.indexOf(needle); at >= 0; at = text.indexOf(needle, at + 1)) {
    if (!wholeWords) return true;
    const before = [...text.slice(Math.max(0, at - 2), at)].at(-1) ?? '';
    const after = [...text.slice(at + needle.length, at + needle.length + 2)][0] ?? '';
    const first = [...needle][0]!;
    const last = [...needle].at(-1)!;
    if (!continuesWord(before, first) && !continuesWord(last, after)) return true;
  }
  return false;
}

function continuesWord(left: string, right: string): boolean {
  return wordCharacter.test(left) && wordCharacter.test(right) && !unspaced.test(left) && !unspaced.test(right);
}

export const regexMetric = defineMeanMetric({
  name: 'regex',
  version: '1',
  title: 'Pattern match',
  description: 'Share of answers in which `pattern` (Python syntax) is found; `full: true` asks for the whole answer.',
  options: z.strictObject({ pattern: z.string().min(1), full: z.boolean().default(false), ignoreCase: z.boolean().default(false) }),
  prepare: ({ pattern, full, ignoreCase }) => {
    const flags = ignoreCase ? 'i' : '';
    const leading = /^\(\?[a-zA-Z]+\)/.exec(pattern)?.[0] ?? '';
    const regex = pythonRegex(full ? `${leading}\\A(?:${pattern.slice(leading.length)})\\Z` : pattern, flags);
    return {
      score: (row) => {
        const prediction = answerOf(row);
        return prediction !== null && regex.test(prediction) ? 1 : 0;
      },
      signature: `/${pattern}/${flags}${full ? '|full' : ''}`,
    };
  },
});

export const tokenF1Metric = defineMeanMetric({
  name: 'token_f1',
  version: '1',
  title: 'Token F1',
  description:
    'F1 of answer and reference words as multisets (SQuAD 1.1), the best over references; Han, Kana and Hangul count by character.',
  options: z.strictObject({ normaliser, tokenizer: z.enum(answerTokenizers).optional() }),
  prepare: (options) => {
    const tokenizer = options.tokenizer ?? (options.normaliser === 'squad' ? 'words' : 'cjk_char');
    return {
      score: (row) => bestOverReferences(row, (prediction, reference) => tokenF1(prediction, reference, { ...options, tokenizer })),
      signature: `norm:${options.normaliser}|tok:${tokenizer}`,
    };
  },
});
