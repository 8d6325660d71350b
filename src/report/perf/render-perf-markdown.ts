// report.md of a performance run.
import { markdownCell, markdownCode, markdownTable } from '../markdown/escape-markdown.ts';
import { detailTable, engineTable, type PerfTable, perfRemarks, servingTable } from './perf-tables.ts';
import type { PerformanceView } from './perf-view.ts';

export interface PerfReportFrame {
  readonly title: string;
  readonly created: string;
  readonly command: string;
  readonly notes: readonly string[];
}

export function perfTableMarkdown(table: PerfTable): string {
  const body = markdownTable(
    table.columns.map((column) => column.title),
    table.columns.map((column) => column.align),
    table.rows.map((row) => row.map(markdownCell)),
  );
  return `## ${table.title}\n\n${body}\n`;
}

export function renderPerfMarkdown(view: PerformanceView, frame: PerfReportFrame): string {
  const tables = [servingTable(view), detailTable(view), engineTable(view)].filter((table) => table.rows.length > 0);
  const remarks = [...perfRemarks(view), ...frame.notes].map((remark) => `- ${markdownCell(remark)}`);
  return [
    `# ${markdownCell(frame.title)}`,
    `Measured ${frame.created} with ${markdownCode(frame.command)}.`,
    'TTFT: from sending the request to the first text of any kind. TPOT: time per further token. Brackets: 95 % order-statistic interval of the median. Figures rest on answers in the steady window; failures are counted apart.',
    ...tables.map(perfTableMarkdown),
    remarks.length === 0 ? '' : `## Remarks\n\n${remarks.join('\n')}\n`,
  ].join('\n\n');
}
