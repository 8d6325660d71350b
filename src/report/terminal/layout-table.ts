// Tables on a terminal: width-aware, least important columns dropped first, hostile control characters made visible.
import { neutraliseControls } from '../format-values.ts';

export interface TerminalStyle {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
}

export interface TableColumn {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Columns with a lower priority are dropped first when the terminal is narrow. */
  readonly priority: number;
}

const wideRanges: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0xa4cf],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0x1f300, 0x1faff],
  [0x20000, 0x3fffd],
];

/** Columns a text takes: wide East Asian characters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (/\p{Mn}|\p{Me}|\p{Cf}/u.test(character)) continue;
    const code = character.codePointAt(0)!;
    width += wideRanges.some(([low, high]) => code >= low && code <= high) ? 2 : 1;
  }
  return width;
}

function shorten(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let cut = '';
  for (const character of text) {
    if (displayWidth(cut + character) > width - 1) break;
    cut += character;
  }
  return `${cut}…`;
}

/** Cells as they are printed, the width of each column, and the columns that fit: the least important ones are dropped first. */
function fitColumns(columns: readonly TableColumn[], rows: readonly (readonly string[])[], width: number) {
  const clean = rows.map((row) => row.map((cell) => neutraliseControls(cell).replace(/\s+/g, ' ')));
  const widths = columns.map((column, index) =>
    Math.max(displayWidth(column.title), ...clean.map((row) => displayWidth(row[index] ?? ''))),
  );
  let shown = columns.map((_, index) => index);
  const total = () => shown.reduce((sum, index) => sum + widths[index]! + 2, -2);
  while (total() > width && shown.length > 3) {
    const worst = shown.reduce((low, index) => (columns[index]!.priority < columns[low]!.priority ? index : low));
    shown = shown.filter((index) => index !== worst);
  }
  return { clean, widths, shown, total };
}

/** Indices of the columns that `layoutTable` leaves out at that width. */
export function droppedColumns(columns: readonly TableColumn[], rows: readonly (readonly string[])[], width: number): readonly number[] {
  const { shown } = fitColumns(columns, rows, width);
  return columns.flatMap((_, index) => (shown.includes(index) ? [] : [index]));
}

/** Lays a table out: drops the least important columns until it fits, then shortens the widest left-aligned one. */
export function layoutTable(columns: readonly TableColumn[], rows: readonly (readonly string[])[], style: TerminalStyle): string {
  const { clean, widths, shown, total } = fitColumns(columns, rows, style.width);
  const widest = shown.filter((index) => columns[index]!.align === 'left').toSorted((a, b) => widths[b]! - widths[a]!)[0];
  if (widest !== undefined && total() > style.width) widths[widest] = Math.max(8, widths[widest]! - (total() - style.width));
  const line = (cells: readonly string[]) =>
    shown
      .map((index) => {
        const cell = shorten(cells[index] ?? '', widths[index]!);
        const pad = ' '.repeat(Math.max(0, widths[index]! - displayWidth(cell)));
        return columns[index]!.align === 'right' ? pad + cell : cell + pad;
      })
      .join('  ')
      .trimEnd();
  const header = line(columns.map((column) => column.title));
  return [style.bold(header), style.dim('─'.repeat(Math.min(style.width, displayWidth(header)))), ...clean.map(line)].join('\n');
}
