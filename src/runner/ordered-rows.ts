// The final row of every sample in plan order, in little memory: metrics, predictions and canonical forms then do not depend on
// the order in which samples finished. Reads the journal two or three times.
import type { PredictionRow } from '../core/prediction.ts';
import type { RunSlots } from './run-slots.ts';

/** A row that stands more lines than this behind its place is fetched in a pass of its own instead of holding up the others. */
const defaultReorderWindow = 4096;
const noLine = -1;

export interface JournalScan {
  /** Line number of each slot's last row, -1 where it has none. */
  readonly lastLine: Int32Array;
  readonly lines: number;
  /** Rows that the plan does not hold, the first few as text. */
  readonly foreign: readonly string[];
  readonly foreignCount: number;
}

export async function scanJournal(slots: RunSlots, rows: AsyncIterable<PredictionRow>): Promise<JournalScan> {
  const lastLine = new Int32Array(slots.total).fill(noLine);
  const foreign: string[] = [];
  let foreignCount = 0;
  let line = 0;
  for await (const row of rows) {
    const slot = slots.slotOf(row);
    if (slot !== -1) lastLine[slot] = line;
    else if (++foreignCount <= 5) foreign.push(`${row.model}/${row.task}/${row.id}/${row.repeat}`);
    line++;
  }
  return { lastLine, lines: line, foreign, foreignCount };
}

export interface OrderedRowsInput {
  readonly slots: RunSlots;
  readonly scan: JournalScan;
  /** Reads the journal from its start. */
  readonly rows: () => AsyncIterable<PredictionRow>;
  readonly reorderWindow?: number | undefined;
}

export interface SlotRow {
  readonly slot: number;
  readonly row: PredictionRow;
}

/** Rows in slot order; slots without a row are left out. */
export async function* orderedRows({ slots, scan, rows, reorderWindow }: OrderedRowsInput): AsyncGenerator<SlotRow> {
  const { lastLine } = scan;
  const waiting = await collectLate(slots, lastLine, rows, reorderWindow ?? defaultReorderWindow);
  const late = new Set(waiting.keys());
  let next = 0;
  function* ready(): Generator<SlotRow> {
    for (; next < slots.total; next++) {
      if (lastLine[next] === noLine) continue;
      const row = waiting.get(next);
      if (row === undefined) return;
      waiting.delete(next);
      yield { slot: next, row };
    }
  }
  yield* ready();
  let line = 0;
  for await (const row of rows()) {
    const slot = slots.slotOf(row);
    if (slot !== -1 && lastLine[slot] === line && !late.has(slot)) {
      if (slot === next) {
        next++;
        yield { slot, row };
      } else waiting.set(slot, row);
      if (waiting.size > 0) yield* ready();
    }
    line++;
    // Rows behind those of the scan came later: they belong to another session.
    if (line === scan.lines) return;
  }
}

async function collectLate(
  slots: RunSlots,
  lastLine: Int32Array,
  rows: () => AsyncIterable<PredictionRow>,
  window: number,
): Promise<Map<number, PredictionRow>> {
  const isLate = new Uint8Array(slots.total);
  let lateCount = 0;
  let earliestBehind = Number.POSITIVE_INFINITY;
  for (let slot = slots.total - 1; slot >= 0; slot--) {
    const line = lastLine[slot]!;
    if (line === noLine) continue;
    if (line > earliestBehind + window) {
      isLate[slot] = 1;
      lateCount++;
    } else earliestBehind = Math.min(earliestBehind, line);
  }
  const late = new Map<number, PredictionRow>();
  if (lateCount === 0) return late;
  let line = 0;
  for await (const row of rows()) {
    const slot = slots.slotOf(row);
    if (slot !== -1 && isLate[slot] === 1 && lastLine[slot] === line) late.set(slot, row);
    line++;
  }
  return late;
}
