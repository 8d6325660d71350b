// Quantisations side by side, for the terminal and as report.md.
import { neutraliseControls } from '../format-values.ts';
import { markdownCell, markdownCode } from '../markdown/escape-markdown.ts';
import type { TerminalStyle } from '../terminal/layout-table.ts';
import { quantDoubts, quantNotes, quantTables } from './quant-tables.ts';
import type { QuantView } from './quant-view.ts';
import { type PerfReportFrame, perfTableMarkdown } from './render-perf-markdown.ts';
import { renderPerfTable } from './render-perf-terminal.ts';

export function renderQuantTerminal(view: QuantView, style: TerminalStyle): string {
  return `${quantTables(view)
    .map((table) => renderPerfTable(table, style))
    .join('\n')}\n${[...quantNotes(view), ...quantDoubts(view)].map(neutraliseControls).join('\n')}\n`;
}

export function renderQuantMarkdown(view: QuantView, frame: PerfReportFrame): string {
  const notes = [...quantNotes(view), ...quantDoubts(view), ...frame.notes].map((remark) => `- ${markdownCell(remark)}`).join('\n');
  return [
    `# ${markdownCell(frame.title)}`,
    `Measured ${frame.created} with ${markdownCode(frame.command)}.`,
    ...quantTables(view).map(perfTableMarkdown),
    `## Remarks\n\n${notes}\n`,
  ].join('\n\n');
}
