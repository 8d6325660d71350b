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
  readonly remarks: readonly string[];
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
              remarks: perfRemarks(performance),
            },
          ]),
      ...(quant === null
        ? []
        : [
            {
              key: `${record.id} quantisation`,
              title: `Quantisation${name}`,
              tables: quantTables(quant),
              remarks: [...quantDoubts(quant), ...quantNotes(quant)],
            },
          ]),
    ];
  });
}

function TextTable({ table }: { readonly table: PerfTable }) {
  return (
    <Table
      caption={table.title}
      columns={table.columns.map(({ title, align }) => ({ title, align }))}
      rows={table.rows.map((row) => ({ key: row.join(' '), cells: row.map((cell) => ({ content: visibleText(cell) })) }))}
    />
  );
}

export function MeasurementsSection({ measurements }: { readonly measurements: readonly Measurement[] }) {
  return measurements.map(({ key, title, tables, remarks }) => (
    <section key={key} className="task">
      <h3>{visibleText(title)}</h3>
      {tables.map((table) => (
        <TextTable key={table.title} table={table} />
      ))}
      {remarks.length === 0 ? null : (
        <ul className="note">
          {[...new Set(remarks)].map((remark) => (
            <li key={remark}>{visibleText(remark)}</li>
          ))}
        </ul>
      )}
    </section>
  ));
}
