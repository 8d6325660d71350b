// Which slots of a run have their final row already: errors are tried again, everything else is kept.
import type { PredictionRow } from '../core/prediction.ts';
import type { RunSlots } from './run-slots.ts';

/** One byte per slot, 1 = done. The last row of a slot counts. */
export async function readDoneSlots(slots: RunSlots, rows: AsyncIterable<PredictionRow>): Promise<Uint8Array> {
  const done = new Uint8Array(slots.total);
  for await (const row of rows) {
    const slot = slots.slotOf(row);
    if (slot !== -1) done[slot] = row.outcome.kind === 'error' ? 0 : 1;
  }
  return done;
}
