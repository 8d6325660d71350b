// Many benchmark records in one document: Markdown, CSV, XLSX, LaTeX, JSON or HTML. One record in Markdown is its full report.
import { ToolError } from '../../core/errors.ts';
import { mergedCsv, mergedJson, mergedLatex, mergedMarkdown, mergeRecords } from '../../report/benchmark/merge-table.ts';
import { mergedHtml } from '../../report/benchmark/merged-html.ts';
import { mergedXlsx } from '../../report/benchmark/merged-xlsx.ts';
import { renderBenchmark } from '../../report/benchmark/render-benchmark.ts';
import { readBenchmarks } from './read-benchmark.ts';

export const reportFormats = ['md', 'csv', 'xlsx', 'tex', 'json', 'html'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** @throws ToolError `not-found`, `data` */
export async function mergeBenchmarks(paths: readonly string[], format: ReportFormat): Promise<string | Uint8Array> {
  if (paths.length === 0) throw new ToolError('usage', 'name record files or folders');
  const records = (await readBenchmarks(paths)).map(({ record }) => record);
  if (format === 'md' && records.length === 1) return renderBenchmark(records[0]!);
  const table = mergeRecords(records);
  switch (format) {
    case 'md':
      return mergedMarkdown(table);
    case 'csv':
      return mergedCsv(table);
    case 'tex':
      return mergedLatex(table);
    case 'json':
      return mergedJson(table);
    case 'html':
      return mergedHtml(table);
    case 'xlsx':
      return mergedXlsx(table);
  }
}
