// Tables and remarks of measurements, the same as in terminal and Markdown.
import type { ReactNode } from 'react';
import type { PerfTable } from '../../../report/perf/perf-tables.ts';
import { TableFrame } from './table-frame.tsx';
import { Outside } from './text.tsx';

/** A last column of words may break its lines; everything before it stays on one. */
function classOf({ columns }: PerfTable, at: number): string | undefined {
  if (columns[at]!.align === 'right') return 'number';
  return at === columns.length - 1 ? undefined : 'nowrap';
}

export function TextTable({ table }: { readonly table: PerfTable }): ReactNode {
  if (table.rows.length === 0) return null;
  return (
    <section>
      <h2>{table.title}</h2>
      <TableFrame label={table.title}>
        <table className="rows compact">
          <thead>
            <tr>
              {table.columns.map((column) => (
                <th key={column.title} scope="col" className={column.align === 'right' ? 'number' : undefined}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((row) => (
              <tr key={row.join(' ')}>
                {row.map((cell, at) => (
                  <td key={table.columns[at]!.title} className={classOf(table, at)}>
                    <Outside text={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TableFrame>
    </section>
  );
}

export function Remarks({ remarks }: { readonly remarks: readonly string[] }): ReactNode {
  if (remarks.length === 0) return null;
  return (
    <div className="notice" role="note">
      <ul>
        {remarks.map((remark) => (
          <li key={remark}>
            <Outside text={remark} />
          </li>
        ))}
      </ul>
    </div>
  );
}
