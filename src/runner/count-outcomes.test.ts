import fc from 'fast-check';
import { expect, test } from 'vitest';
import { memberOf } from '../core/count-names.ts';
import { noTiming, noUsage } from '../core/generation.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { outcomeCounter } from './count-outcomes.ts';

const ruleName = fc.option(fc.constantFrom('constructor', '__proto__', 'toString', 'letter', 'label: exact', 'hasOwnProperty'), {
  nil: null,
});
const outcome = fc.constantFrom<PredictionRow['outcome']>(
  { kind: 'scored' },
  { kind: 'invalid', reason: 'empty' },
  { kind: 'error', class: 'timeout', message: 'late' },
  { kind: 'skipped', reason: 'policy' },
);

function row(id: number, extractedBy: string | null, how: PredictionRow['outcome']): PredictionRow {
  return {
    model: 'm',
    task: 't',
    id: String(id),
    repeat: 0,
    instruction: '',
    label: 'a',
    prediction: 'a',
    outcome: how,
    raw: 'a',
    reasoning: null,
    cleaned: 'a',
    extractedBy,
    finishReason: 'stop',
    usage: noUsage,
    timing: noTiming,
    origin: 'fresh',
    warnings: [],
  };
}

test('every row is in exactly one class and every extraction rule is counted, whatever its name', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(ruleName, outcome)), fc.nat(5), (rows, unplanned) => {
      const counter = outcomeCounter();
      for (const [at, [rule, how]] of rows.entries()) counter.add(row(at, rule, how));
      const counts = counter.finish(rows.length + unplanned);
      expect(counts.scored + counts.invalid + counts.error + counts.skipped + counts.missing).toBe(counts.total);
      for (const rule of new Set(rows.flatMap(([one]) => one ?? [])))
        expect(memberOf(counts.extractedBy, rule)).toBe(rows.filter(([one]) => one === rule).length);
      expect(Object.values(counts.extractedBy).reduce((sum, count) => sum + count, 0)).toBe(rows.filter(([one]) => one !== null).length);
    }),
  );
});
