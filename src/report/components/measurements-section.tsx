// What a run measured beside its tasks: speed under load, and what quantisation costs.
import type { Measurement } from '../perf/measurements.ts';
import type { PerfTable } from '../perf/perf-tables.ts';
import { Table } from './table.tsx';
import { visibleText } from './visible-text.ts';

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
