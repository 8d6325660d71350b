// The merged table as a spreadsheet: numbers as numbers, texts never as formulas.
import type { MergedTable } from './merge-table.ts';

/** The library loads only when a spreadsheet is asked for. */
export async function mergedXlsx({ columns, rows }: MergedTable): Promise<Uint8Array> {
  const { default: excel } = await import('exceljs');
  const book = new excel.Workbook();
  const sheet = book.addWorksheet('benchmarks', { views: [{ state: 'frozen', ySplit: 1 }] });
  sheet.addRow([...columns]).font = { bold: true };
  for (const row of rows) sheet.addRow(row.map((value) => value ?? undefined));
  columns.forEach((column, index) => {
    const widest = Math.max(column.length, ...rows.map((row) => String(row[index] ?? '').length));
    sheet.getColumn(index + 1).width = Math.min(40, widest + 2);
  });
  return new Uint8Array(await book.xlsx.writeBuffer());
}
