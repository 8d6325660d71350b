import fc from 'fast-check';
import { expect, test } from 'vitest';
import { generateTask, planOf } from '../../test/contract/run-store-fakes.ts';
import type { PredictionRow } from '../core/prediction.ts';
import { rowOfError } from './make-row.ts';
import { orderedRows, scanJournal } from './ordered-rows.ts';
import { runSlots } from './run-slots.ts';

test('rows come once each, in plan order, and the last row of a sample counts, whatever the order of the journal', async () => {
  const size = 12;
  const slots = runSlots(planOf([generateTask(size)]));
  const ids = slots.results[0]!.ids;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: size - 1 }), { maxLength: 40 }),
      fc.integer({ min: 0, max: 6 }),
      async (order, reorderWindow) => {
        const journal: PredictionRow[] = order.map((position, line) =>
          rowOfError({ model: 'm', task: 'echo', id: ids[position]!, repeat: 0 }, 'backend', String(line)),
        );
        const rows = async function* (): AsyncGenerator<PredictionRow> {
          yield* journal;
        };
        const scan = await scanJournal(slots, rows());
        const seen: [number, string][] = [];
        for await (const { slot, row } of orderedRows({ slots, scan, rows, reorderWindow })) {
          seen.push([slot, row.outcome.kind === 'error' ? row.outcome.message : '']);
        }
        const expected = [...new Set(order)].sort((a, b) => a - b).map((position) => [position, String(order.lastIndexOf(position))]);
        expect(seen).toEqual(expected);
      },
    ),
  );
});

test('rows that the plan does not hold are counted and left out', async () => {
  const slots = runSlots(planOf([generateTask(1)]));
  const rows = async function* (): AsyncGenerator<PredictionRow> {
    yield rowOfError({ model: 'm', task: 'echo', id: 'foreign', repeat: 0 }, 'backend', '');
  };
  const scan = await scanJournal(slots, rows());
  expect(scan).toMatchObject({ foreignCount: 1, foreign: ['m/echo/foreign/0'] });
  for await (const _ of orderedRows({ slots, scan, rows })) throw new Error('a foreign row came through');
});
