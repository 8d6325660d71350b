// What a run measured beside its tasks: speed under load, and what quantisation costs.
import { detailTable, engineTable, type PerfTable, perfRemarks, servingTable } from '../perf/perf-tables.ts';
import { performanceViewOf } from '../perf/perf-view.ts';
import { quantDoubts, quantNotes, quantTables } from '../perf/quant-tables.ts';
import { quantViewOf } from '../perf/quant-view.ts';
import type { ReportView } from '../view-model.ts';
import { Table } from './table.tsx';
import { visibleText } from './visible-text.ts';

interface Measurement {
  readonly key: string;
  readonly title: string;
  readonly tables: readonly PerfTable[];
  /** Why the figures should be doubted. */
  readonly doubts: readonly string[];
  /** What the figures rest on. */
  readonly notes: readonly string[];
}

/** Empty where no record holds such a block. */
export function measurementsOf({ records }: ReportView): readonly Measurement[] {
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

/** A last column of words is kept wide enough to be read. */
function TextTable({ table }: { readonly table: PerfTable }) {
  const last = table.columns.length - 1;
  const hasWords = table.columns[last]!.align === 'left';
  return (
    <Table
      caption={table.title}
      columns={table.columns.map(({ title, align }) => ({ title, align }))}
      rows={table.rows.map((row) => ({
        key: row.join(' '),
        cells: row.map((cell, at) => ({ content: visibleText(cell), className: hasWords && at === last ? 'words' : undefined })),
      }))}
    />
  );
}

function Lines({ lines }: { readonly lines: readonly string[] }) {
  return (
    <ul className="note">
      {[...new Set(lines)].map((line) => (
        <li key={line}>{visibleText(line)}</li>
      ))}
    </ul>
  );
}

export function MeasurementsSection({ measurements }: { readonly measurements: readonly Measurement[] }) {
  return measurements.map(({ key, title, tables, doubts, notes }) => (
    <section key={key} className="task">
      <h3>{visibleText(title)}</h3>
      {doubts.length === 0 ? null : <Lines lines={doubts} />}
      {tables.map((table) => (
        <TextTable key={table.title} table={table} />
      ))}
      {notes.length === 0 ? null : (
        <details>
          <summary>What the figures rest on</summary>
          <Lines lines={notes} />
        </details>
      )}
    </section>
  ));
}
