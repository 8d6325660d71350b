// Many benchmark records in one document: Markdown, CSV, XLSX, LaTeX, JSON or HTML. One record in Markdown is its full report.
import { readFile } from 'node:fs/promises';
import { messageOf, ToolError } from '../../core/errors.ts';
import { mergedCsv, mergedJson, mergedLatex, mergedMarkdown, mergeRecords } from '../../report/benchmark/merge-table.ts';
import { mergedHtml } from '../../report/benchmark/merged-html.ts';
import { mergedXlsx } from '../../report/benchmark/merged-xlsx.ts';
import { primaryBars } from '../../report/benchmark/primary-bars.ts';
import { renderBenchmark } from '../../report/benchmark/render-benchmark.ts';
import { renderTemplate } from '../../templating/render-template.ts';
import { readBenchmarks } from './read-benchmark.ts';

export const reportFormats = ['md', 'csv', 'xlsx', 'tex', 'json', 'html'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/**
 * Text of a Jinja template of the user over each record, in order: `record` is the JSON record, `columns` its row of the merged table.
 * @throws ToolError `not-found`, `data`, `template` (an undefined name is an error)
 */
export async function renderByTemplate(paths: readonly string[], template: string): Promise<string> {
  const source = await readFile(template, 'utf8').catch((cause: unknown) => {
    throw new ToolError('not-found', `cannot read the template ${template}: ${messageOf(cause)}`, { cause });
  });
  const texts = (await readBenchmarks(paths)).map(({ record }) => {
    const { columns, rows } = mergeRecords([record]);
    const byName = Object.fromEntries(columns.map((column, index) => [column, rows[0]![index] ?? null]));
    return renderTemplate(source, { record, columns: byName }, { name: template });
  });
  return texts.join('');
}

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
      return mergedHtml(table, primaryBars(records));
    case 'xlsx':
      return mergedXlsx(table);
  }
}
