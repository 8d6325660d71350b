// The canonical form of a run: equal text means equal results, whatever the interruptions, hosts and times.

import type { PredictionRow } from '../core/prediction.ts';
import { canonicalLines } from '../runner/canonical-record.ts';
import { orderedRows, scanJournal } from '../runner/ordered-rows.ts';
import { runSlots } from '../runner/run-slots.ts';
import { type OpenedRun, readPlanOf, readPredictions } from './open-run.ts';

/** Final row of every sample, in plan order. */
export async function* finalRows(run: OpenedRun): AsyncGenerator<PredictionRow> {
  const slots = runSlots(await readPlanOf(run));
  const rows = () => readPredictions(run);
  const scan = await scanJournal(slots, rows());
  for await (const { row } of orderedRows({ slots, scan, rows })) yield row;
}

export async function* canonicalText(run: OpenedRun): AsyncGenerator<string> {
  yield* canonicalLines(run.record, finalRows(run));
}
