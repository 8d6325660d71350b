// What records measured beside tasks, ready for a report: tables, doubts, and what the figures rest on.
import type { RunRecord } from '../../core/record.ts';
import { detailTable, engineTable, type PerfTable, perfRemarks, servingTable } from './perf-tables.ts';
import { performanceViewOf } from './perf-view.ts';
import { quantDoubts, quantNotes, quantTables } from './quant-tables.ts';
import { quantViewOf } from './quant-view.ts';

export interface Measurement {
  readonly key: string;
  readonly title: string;
  readonly tables: readonly PerfTable[];
  /** Why the figures should be doubted. */
  readonly doubts: readonly string[];
  /** What the figures rest on. */
  readonly notes: readonly string[];
}

/** Empty where no record holds such a block. */
export function measurementsOf(records: readonly RunRecord[]): readonly Measurement[] {
  return records.flatMap((record): Measurement[] => {
    const performance = performanceViewOf(record.performance);
    const quant = quantViewOf(record.quantisation);
    const name = records.length > 1 ? ` (${record.id})` : '';
    return [
      ...(performance === null
        ? []
        : [
            {
              key: `${record.id} performance`,
              title: `Speed${name}`,
              tables: [servingTable(performance), detailTable(performance), engineTable(performance)].filter(({ rows }) => rows.length > 0),
              doubts: perfRemarks(performance),
              notes: [],
            },
          ]),
      ...(quant === null
        ? []
        : [
            {
              key: `${record.id} quantisation`,
              title: `Quantisation${name}`,
              tables: quantTables(quant),
              doubts: quantDoubts(quant),
              notes: quantNotes(quant),
            },
          ]),
    ];
  });
}
