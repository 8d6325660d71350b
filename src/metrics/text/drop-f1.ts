// Exact match and F1 of DROP (Dua et al. 2019) as lm-eval computes them: span sets, numbers must agree, best one-to-one alignment.
import { asciiPunctuation, formatPythonFloat, parsePythonFloat, splitWords, strip } from './python-text.ts';

const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;

function normaliseToken(token: string): string {
  const lower = token.toLowerCase();
  const bare = parsePythonFloat(lower) === undefined ? lower.replace(asciiPunctuation, '') : lower;
  const number = parsePythonFloat(bare);
  return splitWords((number === undefined ? bare : formatPythonFloat(number)).replace(articles, ' ')).join(' ');
}

/** Tokens between spaces and hyphens, each without punctuation and articles, numbers in one spelling. */
export function normaliseDrop(answer: string): string {
  return strip(
    answer
      .split(/ |-/)
      .map(normaliseToken)
      .filter((token) => token !== '')
      .join(' '),
  );
}

function bagOf(span: string): Set<string> {
  return new Set(splitWords(span));
}

function bagF1(predicted: ReadonlySet<string>, gold: ReadonlySet<string>): number {
  let common = 0;
  for (const token of gold) if (predicted.has(token)) common++;
  const precision = predicted.size === 0 ? 1 : common / predicted.size;
  const recall = gold.size === 0 ? 1 : common / gold.size;
  return precision === 0 && recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
}

function numbersAgree(gold: ReadonlySet<string>, predicted: ReadonlySet<string>): boolean {
  const numbers = [...gold].filter((token) => parsePythonFloat(token) !== undefined);
  return numbers.length === 0 || numbers.some((token) => predicted.has(token));
}

/**
 * Largest total of a one-to-one assignment, by the Hungarian method with potentials (Kuhn 1955, Munkres 1957), O(n^3).
 * @param score rows x columns, both at least one
 */
export function bestAssignmentTotal(rows: number, columns: number, score: (row: number, column: number) => number): number {
  if (rows > columns) return bestAssignmentTotal(columns, rows, (row, column) => score(column, row));
  const rowPotential = new Float64Array(rows + 1);
  const columnPotential = new Float64Array(columns + 1);
  const rowOfColumn = new Int32Array(columns + 1);
  const previous = new Int32Array(columns + 1);
  for (let row = 1; row <= rows; row++) {
    rowOfColumn[0] = row;
    let column = 0;
    const slack = new Float64Array(columns + 1).fill(Number.POSITIVE_INFINITY);
    const isUsed = new Uint8Array(columns + 1);
    do {
      isUsed[column] = 1;
      const current = rowOfColumn[column]!;
      let delta = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let other = 1; other <= columns; other++) {
        if (isUsed[other]) continue;
        const cost = -score(current - 1, other - 1) - rowPotential[current]! - columnPotential[other]!;
        if (cost < slack[other]!) {
          slack[other] = cost;
          previous[other] = column;
        }
        if (slack[other]! < delta) {
          delta = slack[other]!;
          next = other;
        }
      }
      for (let other = 0; other <= columns; other++) {
        if (isUsed[other]) {
          rowPotential[rowOfColumn[other]!]! += delta;
          columnPotential[other]! -= delta;
        } else slack[other]! -= delta;
      }
      column = next;
    } while (rowOfColumn[column] !== 0);
    for (let back = column; back !== 0; back = previous[back]!) rowOfColumn[back] = rowOfColumn[previous[back]!]!;
  }
  let total = 0;
  for (let column = 1; column <= columns; column++) if (rowOfColumn[column] !== 0) total += score(rowOfColumn[column]! - 1, column - 1);
  return total;
}

/** Rounds like numpy's `round(value, 2)`: scaled, halves to even. */
function roundToCents(value: number): number {
  const scaled = value * 100;
  const below = Math.floor(scaled);
  const isHalf = scaled - below === 0.5;
  return (isHalf ? below + (below % 2) : Math.round(scaled)) / 100;
}

/** Exact match and F1 (rounded to 2 digits, as there) of predicted spans against one gold answer of one or more spans. */
export function dropScores(
  predictedSpans: readonly string[],
  goldSpans: readonly string[],
): { readonly exact: number; readonly f1: number } {
  const predicted = predictedSpans.map(normaliseDrop);
  const gold = goldSpans.map(normaliseDrop);
  const exact =
    predicted.length === gold.length && predicted.every((span) => gold.includes(span)) && gold.every((span) => predicted.includes(span));
  const predictedBags = predicted.map(bagOf);
  const goldBags = gold.map(bagOf);
  const score = (row: number, column: number) => {
    const goldBag = goldBags[row]!;
    const predictedBag = predictedBags[column]!;
    return numbersAgree(goldBag, predictedBag) ? bagF1(predictedBag, goldBag) : 0;
  };
  const total = bestAssignmentTotal(goldBags.length, predictedBags.length, score);
  return { exact: Number(exact), f1: roundToCents(total / Math.max(goldBags.length, predictedBags.length)) };
}
