import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bestAssignmentTotal, dropScores } from './drop-f1.ts';

interface Golden {
  readonly predicted: string[];
  readonly gold: string[];
  readonly exact: number;
  readonly f1: number;
}

test('DROP scores equal lm-eval on fuzzed answers', () => {
  const rows = JSON.parse(readFileSync(new URL('../../../test/golden/text/drop.json', import.meta.url), 'utf8')) as Golden[];
  expect(rows.length).toBeGreaterThan(300);
  for (const { predicted, gold, exact, f1 } of rows)
    expect([predicted, gold, dropScores(predicted, gold)]).toEqual([predicted, gold, { exact, f1 }]);
});

test('the assignment is the best one', () => {
  const matrix = fc
    .tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 }))
    .chain(([rows, columns]) =>
      fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
    );
  const bruteForce = (scores: readonly (readonly number[])[], row: number, used: ReadonlySet<number>): number => {
    if (row === scores.length) return 0;
    let best = bruteForce(scores, row + 1, used);
    scores[row]!.forEach((value, column) => {
      if (!used.has(column)) best = Math.max(best, value + bruteForce(scores, row + 1, new Set([...used, column])));
    });
    return best;
  };
  fc.assert(
    fc.property(matrix, (scores) => {
      expect(bestAssignmentTotal(scores.length, scores[0]!.length, (row, column) => scores[row]![column]!)).toBe(
        bruteForce(scores, 0, new Set()),
      );
    }),
  );
});
