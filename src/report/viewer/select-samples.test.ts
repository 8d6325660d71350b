import fc from 'fast-check';
import { expect, test } from 'vitest';
import { scored } from '../../core/outcome.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import { emptyColumns, groupOf, idOf, outcomeOf, repeatOf, type SampleColumns, setSample } from './sample-columns.ts';
import { sampleFacets, selectSamples } from './select-samples.ts';
import { packColumns, unpackColumns } from './site-data.ts';
import type { SampleOutcome } from './viewer-contract.ts';

const ids = ['a', 'b', 'c', 'd', 'e'];
const models = ['m', 'n'];
const outcomes: readonly PredictionRow['outcome'][] = [
  scored,
  { kind: 'invalid', reason: 'empty' },
  { kind: 'error', class: 'timeout', message: 'late' },
  { kind: 'skipped', reason: 'policy' },
];

interface Cell {
  readonly outcome: PredictionRow['outcome'];
  readonly score: number | null;
  readonly ms: number | null;
  readonly category: string | undefined;
}
const cell: fc.Arbitrary<Cell | null> = fc.option(
  fc.record({
    outcome: fc.constantFrom(...outcomes),
    score: fc.constantFrom(null, 0, 1, 0.5),
    ms: fc.option(fc.integer({ min: 0, max: 5 })),
    category: fc.constantFrom(undefined, 'x', 'y'),
  }),
);
const cells = fc.array(cell, { minLength: 20, maxLength: 20 });

function rowOf(one: Cell): PredictionRow {
  return { outcome: one.outcome, timing: { totalMs: one.ms }, category: one.category } as unknown as PredictionRow;
}

/** Two models, two repeats of five items each. */
function columnsOf(all: readonly (Cell | null)[]): SampleColumns {
  const columns = emptyColumns(models.map((model, at) => ({ model, task: 't', start: at * 10, length: 10, ids })));
  const places = new Map<string, number>();
  all.forEach((one, slot) => {
    if (one !== null) setSample(columns, slot, rowOf(one), one.outcome.kind === 'scored' ? one.score : null, places);
  });
  return columns;
}

function outcomeByHand(one: Cell): SampleOutcome {
  if (one.outcome.kind !== 'scored') return one.outcome.kind;
  return one.score === 1 ? 'right' : one.score === 0 ? 'wrong' : one.score === null ? 'scored' : 'partial';
}

test('slots name their item and repeat', () => {
  const columns = columnsOf(new Array(20).fill(null));
  expect(
    [0, 4, 5, 9, 10, 19].map((slot) => [
      groupOf(columns, slot).model,
      idOf(groupOf(columns, slot), slot),
      repeatOf(groupOf(columns, slot), slot),
    ]),
  ).toEqual([
    ['m', 'a', 0],
    ['m', 'e', 0],
    ['m', 'a', 1],
    ['m', 'e', 1],
    ['n', 'a', 0],
    ['n', 'e', 1],
  ]);
});

test('each filter keeps exactly what a look at every row keeps', () => {
  const filters = fc.record({
    model: fc.constantFrom(undefined, 'm', 'n', 'other'),
    outcome: fc.constantFrom(undefined, 'right', 'wrong', 'invalid', 'error', 'skipped', 'partial') as fc.Arbitrary<
      SampleOutcome | undefined
    >,
    category: fc.constantFrom(undefined, 'x', 'y', 'z'),
  });
  fc.assert(
    fc.property(cells, filters, (all, filter) => {
      const columns = columnsOf(all);
      const expected = all.flatMap((one, slot) => {
        if (one === null) return [];
        const model = models[Math.floor(slot / 10)];
        const keeps =
          (filter.model === undefined || filter.model === model) &&
          (filter.outcome === undefined || outcomeByHand(one) === filter.outcome) &&
          (filter.category === undefined || one.category === filter.category);
        return keeps ? [slot] : [];
      });
      expect(selectSamples(columns, filter)).toEqual(expected);
      const facets = sampleFacets(columns, filter);
      for (const { value, count } of facets.outcome)
        expect(selectSamples(columns, { ...filter, outcome: value as SampleOutcome })).toHaveLength(count);
      for (const { value, count } of facets.category) expect(selectSamples(columns, { ...filter, category: value })).toHaveLength(count);
    }),
  );
});

test('a flip is right on one side and wrong or invalid on the other, and is seen from both sides', () => {
  fc.assert(
    fc.property(cells, (all) => {
      const columns = columnsOf(all);
      const side = (slot: number): boolean | null => {
        const outcome = outcomeOf(columns, slot);
        return outcome === 'right' ? true : outcome === 'wrong' || outcome === 'invalid' ? false : null;
      };
      const expected = Array.from({ length: 10 }, (_, slot) => slot).filter(
        (slot) => side(slot) !== null && side(slot + 10) !== null && side(slot) !== side(slot + 10),
      );
      expect(selectSamples(columns, { model: 'm', flip: 'n' })).toEqual(expected);
      expect(selectSamples(columns, { model: 'n', flip: 'm' })).toEqual(expected.map((slot) => slot + 10));
    }),
  );
});

test('sorting keeps every row, puts rows without the value last and equal ones in plan order', () => {
  fc.assert(
    fc.property(cells, fc.constantFrom('slowest' as const, 'fastest' as const), (all, sort) => {
      const columns = columnsOf(all);
      const slots = selectSamples(columns, { sort });
      expect(slots.toSorted((a, b) => a - b)).toEqual(selectSamples(columns, {}));
      for (let at = 1; at < slots.length; at++) {
        const before = columns.totalMs[slots[at - 1]!]!;
        const after = columns.totalMs[slots[at]!]!;
        if (Number.isNaN(before)) expect(after).toBeNaN();
        else if (before === after) expect(slots[at - 1]!).toBeLessThan(slots[at]!);
        else if (!Number.isNaN(after)) expect(sort === 'slowest' ? before > after : before < after).toBe(true);
      }
    }),
  );
});

test('columns survive the way through an exported site', () => {
  fc.assert(
    fc.property(cells, (all) => {
      const columns = columnsOf(all);
      const back = unpackColumns(JSON.parse(JSON.stringify(packColumns(columns, []))));
      expect(back).toEqual(columns);
    }),
  );
});
