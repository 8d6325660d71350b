// CSV (RFC 4180) whose text cells no spreadsheet takes for a formula (X02).
import type { ResultCell, ResultTable } from './result-rows.ts';

/** Formula starts of common spreadsheets, also behind white space and invisible characters. */
const formulaStart = /^[\s\u00a0\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

/** Text as a cell: an apostrophe before what could run; quotes where the grammar needs them. */
export function csvText(text: string): string {
  const safe = formulaStart.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function csvCell(cell: ResultCell): string {
  if (cell === null) return '';
  return typeof cell === 'number' ? (Number.isFinite(cell) ? String(cell) : '') : csvText(cell);
}

/** An empty cell is "not measured". Numbers have all their digits and a point. */
export function renderCsv({ columns, rows }: ResultTable): string {
  return [columns.map(csvText), ...rows.map((row) => row.map(csvCell))].map((line) => `${line.join(',')}\r\n`).join('');
}
