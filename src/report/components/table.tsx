// A table that scrolls sideways on narrow screens, and whose columns the page's script makes sortable.
import type { ReactNode } from 'react';
import { visibleText } from './visible-text.ts';

export interface Column {
  readonly title: string;
  /** Spoken and shown on hover, where the title is short. */
  readonly hint?: string | undefined;
  readonly align?: 'left' | 'right' | undefined;
  readonly sortable?: boolean | undefined;
}

export interface Cell {
  readonly content: ReactNode;
  /** What the column sorts by; null sorts last. */
  readonly sort?: number | string | null | undefined;
  readonly className?: string | undefined;
}

export interface TableRow {
  readonly key: string;
  readonly cells: readonly Cell[];
  readonly className?: string | undefined;
}

export interface TableProps {
  readonly caption: string;
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /** The first cell of a row names it. @default true */
  readonly rowHeaders?: boolean | undefined;
}

function sortAttribute(value: Cell['sort']): string | undefined {
  return value === undefined ? undefined : value === null ? '' : visibleText(String(value));
}

export function Table({ caption, columns, rows, rowHeaders = true }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls sideways must be reachable by keyboard
    <section className="scroll" aria-label={visibleText(caption)} tabIndex={0}>
      <table>
        <caption>{visibleText(caption)}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                title={column.hint === undefined ? undefined : visibleText(column.hint)}
                className={column.align === 'right' ? 'number' : undefined}
                data-sortable={column.sortable === true ? '' : undefined}
              >
                {visibleText(column.title)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.key} className={row.className}>
              {row.cells.map((cell, index) => {
                const title = columns[index]!.title;
                const className = [columns[index]!.align === 'right' ? 'number' : '', cell.className ?? '']
                  .filter((name) => name !== '')
                  .join(' ');
                const shared = { className: className === '' ? undefined : className, 'data-sort': sortAttribute(cell.sort) };
                return index === 0 && rowHeaders ? (
                  <th key={title} scope="row" {...shared}>
                    {cell.content}
                  </th>
                ) : (
                  <td key={title} {...shared}>
                    {cell.content}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
