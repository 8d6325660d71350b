// Compares two tools' scores of the same documents: same prompt, same option, and which differences a fixed margin explains.
import type { PredictionRow } from '../../src/core/prediction.ts';

/** One document as lm-evaluation-harness scored it. */
export interface ReferenceItem {
  readonly index: number;
  readonly context: string;
  readonly continuations: readonly string[];
  /** Nats, one a continuation. */
  readonly logprobs: readonly number[];
}

export interface ItemDifference {
  readonly index: number;
  readonly reference: number;
  readonly ours: number;
  /** Distance between the reference's best and the option we chose, nats. */
  readonly referenceMargin: number;
}

export interface ItemComparison {
  readonly items: number;
  /** Items whose prompt or continuations are not byte for byte the same. */
  readonly promptsDiffer: number;
  /** Share of items on which both choose the same option. */
  readonly sameOption: number;
  /** Share that also holds for the length-normalised choice. */
  readonly sameNormalisedOption: number;
  readonly maxScoreDifference: number;
  /** Twice the 99th percentile of |score difference| on the calibration items, fixed before the judged ones are looked at. */
  readonly margin: number;
  readonly differences: readonly ItemDifference[];
  /** Differences whose reference margin is wider than the fixed one: these would need an explanation. */
  readonly unexplained: number;
}

function best(scores: readonly number[]): number {
  return scores.indexOf(Math.max(...scores));
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)]!;
}

/** @param judged - how many of the first items are judged; the others fix the margin */
export function compareItems(reference: readonly ReferenceItem[], rows: readonly PredictionRow[], judged: number): ItemComparison {
  if (reference.length !== rows.length) throw new Error(`${reference.length} reference items, ${rows.length} rows`);
  const pairs = reference.map((item, index) => ({ item, choices: rows[index]!.choices ?? [], instruction: rows[index]!.instruction }));
  const distances = (part: typeof pairs) =>
    part.flatMap(({ item, choices }) => item.logprobs.map((value, index) => Math.abs(value - choices[index]!.logprob)));
  const margin = 2 * quantile(distances(pairs.slice(judged)), 0.99);
  const tested = pairs.slice(0, judged);
  const differences: ItemDifference[] = [];
  let normalised = 0;
  for (const { item, choices } of tested) {
    const own = choices.map((choice) => choice.logprob);
    const [theirs, ours] = [best(item.logprobs), best(own)];
    if (theirs !== ours)
      differences.push({ index: item.index, reference: theirs, ours, referenceMargin: item.logprobs[theirs]! - item.logprobs[ours]! });
    // lm-evaluation-harness divides by the code points of the option without its leading delimiter.
    const lengths = item.continuations.map((text) => [...text].length - 1);
    const divided = (scores: readonly number[]) => best(scores.map((score, index) => score / lengths[index]!));
    if (divided(item.logprobs) === divided(own)) normalised++;
  }
  return {
    items: tested.length,
    promptsDiffer: tested.filter(({ item, choices, instruction }) => !isSamePrompt(item, choices, instruction)).length,
    sameOption: 1 - differences.length / tested.length,
    sameNormalisedOption: normalised / tested.length,
    maxScoreDifference: Math.max(...distances(tested)),
    margin,
    differences,
    unexplained: differences.filter((one) => one.referenceMargin > margin).length,
  };
}

function isSamePrompt(item: ReferenceItem, choices: readonly { readonly text: string }[], instruction: string): boolean {
  const texts = item.continuations.map((text) => text.slice(1));
  return instruction === item.context && texts.every((text, index) => text === choices[index]?.text);
}
