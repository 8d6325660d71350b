// A performance run on the terminal.
import { neutraliseControls } from '../format-values.ts';
import { layoutTable, type TerminalStyle } from '../terminal/layout-table.ts';
import { detailTable, engineTable, type PerfTable, perfRemarks, servingTable } from './perf-tables.ts';
import type { PerformanceView } from './perf-view.ts';

export function renderPerfTable(table: PerfTable, style: TerminalStyle): string {
  return `${style.bold(table.title)}\n${layoutTable(table.columns, table.rows, style)}\n`;
}

export function renderPerfTerminal(view: PerformanceView, style: TerminalStyle): string {
  const tables = [servingTable(view), detailTable(view), engineTable(view)].filter((table) => table.rows.length > 0);
  const remarks = perfRemarks(view).map((remark) => neutraliseControls(remark));
  return `${tables.map((table) => renderPerfTable(table, style)).join('\n')}${remarks.length === 0 ? '' : `\n${remarks.join('\n')}\n`}`;
}
