// The samples of one run by byte offset: rows stay on disk, columns for filters stay in memory, a growing journal is followed.
import { type FileHandle, open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Metric } from '../../core/metric.ts';
import type { RunPlan } from '../../core/plan.ts';
import { type PredictionRow, parsePredictionRow } from '../../core/prediction.ts';
import { emptyColumns, missingRow, type SampleColumns, setSample } from '../../report/viewer/sample-columns.ts';
import { type RunSlots, runSlots } from '../../runner/run-slots.ts';
import { runFiles } from '../../store/files/run-folder.ts';
import { primaryScorer } from '../create-scorer.ts';
import { readLineAt, readNewLines } from './line-tail.ts';

export interface SampleIndexOptions {
  readonly folder: string;
  readonly plan: RunPlan;
  readonly userMetrics: readonly Metric[];
  /** Sees every new row once, in journal order (live figures). */
  readonly onRow?: ((row: PredictionRow, slot: number) => void) | undefined;
}

async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(() => null))?.size ?? 0;
}

interface RowScorer {
  readonly score: (row: PredictionRow) => number | null;
  rows: number;
}

/** Metrics keep what they have seen for their intervals; only the row's own score is wanted here, so they are let go now and then. */
const rowsPerScorer = 4096;

export class SampleIndex {
  readonly columns: SampleColumns;
  readonly slots: RunSlots;
  /** Lines that are no rows of this plan. */
  damaged = 0;
  readonly #options: SampleIndexOptions;
  readonly #offsets: Float64Array;
  readonly #lengths: Uint32Array;
  readonly #categories = new Map<string, number>();
  readonly #scorers = new Map<string, RowScorer>();
  #path = '';
  #end = 0;
  #reading: Promise<void> | null = null;

  constructor(options: SampleIndexOptions) {
    this.#options = options;
    this.slots = runSlots(options.plan);
    this.columns = emptyColumns(
      this.slots.results.map(({ model, task, start, length, ids }) => ({ model: model.key, task: task.key, start, length, ids })),
    );
    this.#offsets = new Float64Array(this.slots.total);
    this.#lengths = new Uint32Array(this.slots.total);
  }

  /** Bytes of the file that are indexed: changes when there is something new. */
  get version(): number {
    return this.#end;
  }

  get done(): number {
    let done = 0;
    for (const code of this.columns.outcome) if (code !== missingRow) done++;
    return done;
  }

  /** Takes in what the journal has got since the last call. */
  async refresh(): Promise<void> {
    this.#reading ??= this.#read().finally(() => {
      this.#reading = null;
    });
    await this.#reading;
  }

  async #read(): Promise<void> {
    if (this.#path === '') {
      // Merged and imported runs may have predictions only.
      const journal = join(this.#options.folder, runFiles.journal);
      const predictions = join(this.#options.folder, 'predictions.jsonl');
      this.#path = (await sizeOf(journal)) === 0 && (await sizeOf(predictions)) > 0 ? predictions : journal;
    }
    this.#end = await readNewLines(this.#path, this.#end, (text, offset, length) => this.#take(text, offset, length));
  }

  #take(text: string, offset: number, length: number): void {
    try {
      const row = JSON.parse(text) as PredictionRow;
      const slot = this.slots.slotOf(row);
      if (slot === -1) throw new Error('not in the plan');
      setSample(this.columns, slot, row, this.#scoreOf(row), this.#categories);
      this.#offsets[slot] = offset;
      this.#lengths[slot] = length;
      this.#options.onRow?.(row, slot);
    } catch {
      this.damaged++;
    }
  }

  #scoreOf(row: PredictionRow): number | null {
    const key = `${row.model}\u0000${row.task}`;
    let scorer = this.#scorers.get(key);
    if (scorer === undefined || scorer.rows >= rowsPerScorer) {
      const { plan, userMetrics } = this.#options;
      scorer = { score: primaryScorer(plan.tasks.find((task) => task.key === row.task)!, plan.seed, userMetrics), rows: 0 };
      this.#scorers.set(key, scorer);
    }
    scorer.rows++;
    return scorer.score(row);
  }

  async #withFile<T>(work: (file: FileHandle) => Promise<T>): Promise<T> {
    const file = await open(this.#path, 'r');
    try {
      return await work(file);
    } finally {
      await file.close();
    }
  }

  /** Full rows of some slots, read from disk; slots without a row are left out. */
  async rowsAt(slots: readonly number[]): Promise<{ readonly slot: number; readonly row: PredictionRow }[]> {
    const wanted = slots.filter((slot) => slot >= 0 && slot < this.columns.total && this.columns.outcome[slot] !== missingRow);
    if (wanted.length === 0) return [];
    return this.#withFile(async (file) => {
      const rows: { slot: number; row: PredictionRow }[] = [];
      for (const slot of wanted)
        rows.push({
          slot,
          row: parsePredictionRow(JSON.parse(await readLineAt(file, this.#offsets[slot]!, this.#lengths[slot]!))),
        });
      return rows;
    });
  }

  /** Is the line at this place the sample's last one? Text search reads the file in its own order. */
  isCurrent(slot: number, offset: number): boolean {
    return this.columns.outcome[slot] !== missingRow && this.#offsets[slot] === offset;
  }

  get path(): string {
    return this.#path;
  }
}
