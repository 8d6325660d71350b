// The results as a spreadsheet: numbers as numbers, texts as texts, never formulas.
import type { ResultTable } from './result-rows.ts';

/** Control characters that XML cannot hold. */
const notXml = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/** The library loads only when a spreadsheet is asked for. */
export async function renderXlsx({ columns, rows }: ResultTable): Promise<Uint8Array> {
  const { default: excel } = await import('exceljs');
  const book = new excel.Workbook();
  const sheet = book.addWorksheet('results', { views: [{ state: 'frozen', ySplit: 1, xSplit: 3 }] });
  sheet.addRow([...columns]).font = { bold: true };
  for (const row of rows)
    sheet.addRow(row.map((cell) => (typeof cell === 'string' ? cell.replace(notXml, '\ufffd') : (cell ?? undefined))));
  sheet.autoFilter = { from: { row: 1, column: 1 }, to: { row: 1, column: columns.length } };
  columns.forEach((column, index) => {
    const widest = Math.max(column.length, ...rows.map((row) => String(row[index] ?? '').length));
    sheet.getColumn(index + 1).width = Math.min(36, widest + 2);
  });
  return new Uint8Array(await book.xlsx.writeBuffer());
}
