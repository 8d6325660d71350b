// Bootstrap of tables whose rows come in units (repeats of an item, a passage, a document with several labels): whole units are drawn.
import { type BootstrapResult, bootstrapTables } from '../stats/bootstrap.ts';
import { createRandom } from '../stats/random.ts';

export interface UnitTables {
  /** Adds one count to `cell` on behalf of unit number `unit` (0, 1, 2...). */
  readonly add: (unit: number, cell: number) => void;
  readonly bootstrap: (
    task: UnitTask,
    options: { readonly seed: number; readonly level?: number | undefined },
  ) => readonly BootstrapResult[];
}

interface UnitTask {
  readonly units: number;
  readonly cells: number;
  readonly width: number;
  readonly statistics: (counts: Float64Array, into: Float64Array) => void;
}

/** Resamples so that the work stays near 20 million additions: 2,000 for small sets, never below 200. */
function resamplesFor(entries: number): number {
  return Math.max(200, Math.min(2000, Math.floor(2e7 / Math.max(1, entries))));
}

/** Collects (unit, cell) entries and resamples units with replacement. */
export function createUnitTables(): UnitTables {
  const unitOf: number[] = [];
  const cellOf: number[] = [];
  return {
    add: (unit, cell) => {
      unitOf.push(unit);
      cellOf.push(cell);
    },
    bootstrap: (task, options) => {
      const starts = new Uint32Array(task.units + 1);
      for (const unit of unitOf) starts[unit + 1]!++;
      for (let unit = 0; unit < task.units; unit++) starts[unit + 1]! += starts[unit]!;
      const cells = new Uint32Array(cellOf.length);
      const place = starts.slice();
      const observed = new Float64Array(task.cells);
      for (let entry = 0; entry < cellOf.length; entry++) {
        cells[place[unitOf[entry]!]!++] = cellOf[entry]!;
        observed[cellOf[entry]!]!++;
      }
      const random = createRandom(options.seed, 'bootstrap-units');
      const drawn = new Float64Array(task.cells);
      const resample = (): Float64Array => {
        drawn.fill(0);
        for (let draw = 0; draw < task.units; draw++) {
          const unit = random.below(task.units);
          for (let entry = starts[unit]!; entry < starts[unit + 1]!; entry++) drawn[cells[entry]!]!++;
        }
        return drawn;
      };
      const shape = { width: task.width, statistics: task.statistics, total: task.units, observed, resample };
      return bootstrapTables(shape, { ...options, resamples: resamplesFor(cellOf.length) });
    },
  };
}
