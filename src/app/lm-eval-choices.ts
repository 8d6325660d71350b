// Option scores in a sample log of lm-evaluation-harness: `arguments` hold the scored texts, `filtered_resps` their log-likelihoods.
import type { PredictedChoice } from '../core/prediction.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface LoggedChoices {
  readonly choices: PredictedChoice[];
  readonly gold: number[];
}

function isPair(value: unknown): value is readonly [number | string, boolean | string] {
  return (
    Array.isArray(value) &&
    value.length === 2 &&
    value[0] !== '' &&
    Number.isFinite(Number(value[0])) &&
    /^(?:true|false)$/i.test(String(value[1]))
  );
}

/** Logs on disk write each pair as an object of arg_0 and arg_1, results in memory as a list. */
function argumentsOf(value: unknown): (readonly [string, string])[] {
  const pairs = Array.isArray(value) ? value : typeof value === 'object' && value !== null ? Object.values(value) : [];
  return pairs.map((pair) => (Array.isArray(pair) ? [String(pair[0]), String(pair[1])] : [String(pair?.arg_0), String(pair?.arg_1)]));
}

/** Flags of TruthfulQA mc2, else the index (or indices) in `target`. */
function goldOf(fields: Fields, count: number): number[] {
  const document = fields['doc'] as { readonly mc2_targets?: { readonly labels?: readonly number[] } } | undefined;
  const flags = document?.mc2_targets?.labels;
  if (flags?.length === count) return flags.flatMap((flag, index) => (flag === 1 ? [index] : []));
  return [fields['target']]
    .flat()
    .map(Number)
    .filter((index) => Number.isInteger(index) && index >= 0 && index < count);
}

/** null for a log of generated answers. The delimiter before an option is no part of its text, as in the harness. */
export function lmEvalChoices(fields: Fields): LoggedChoices | null {
  const responses = fields['filtered_resps'];
  const texts = argumentsOf(fields['arguments']);
  if (!Array.isArray(responses) || responses.length < 2 || responses.length !== texts.length || !responses.every(isPair)) return null;
  const half = texts.length / 2;
  const hasPrior =
    Number.isInteger(half) && half > 1 && texts.slice(half).every(([context, text], index) => context === '' && text === texts[index]![1]);
  const count = hasPrior ? half : texts.length;
  const choices = texts.slice(0, count).map(([, text], index) => ({
    text: text.replace(/^ /u, ''),
    logprob: Number(responses[index]![0]),
    tokens: 0,
    greedy: /^true$/i.test(String(responses[index]![1])),
    ...(hasPrior ? { unconditionalLogprob: Number(responses[half + index]![0]) } : {}),
  }));
  return { choices, gold: goldOf(fields, count) };
}
