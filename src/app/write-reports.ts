// Writes the files of a report folder: Markdown, HTML, pictures, tables. Everything comes from records and their rows.
import { randomBytes } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { messageOf, ToolError } from '../core/errors.ts';
import { renderMarkdown } from '../report/markdown/render-markdown.ts';
import type { ReportInput } from '../report/report-input.ts';
import { buildStandings } from '../report/standings.ts';
import { buildReportView } from '../report/view-model.ts';
import { loadHtmlReport, readReportClient } from './load-html-report.ts';
import { renderPngs } from './render-png.ts';

export const reportFormats = ['md', 'html', 'png', 'svg', 'csv', 'xlsx', 'latex', 'junit'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** What `--report` writes: a report to read, one to send, and the pictures. */
export const defaultReportFormats: readonly ReportFormat[] = ['md', 'html', 'png', 'svg'];

export interface ReportFile {
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** The whole page as text. */
export async function renderHtmlReport(input: ReportInput): Promise<string> {
  const [renderHtml, script] = await Promise.all([loadHtmlReport(), readReportClient()]);
  return renderHtml(input, { script });
}

async function chartFiles(input: ReportInput, formats: ReadonlySet<ReportFormat>): Promise<ReportFile[]> {
  if (!formats.has('png') && !formats.has('svg')) return [];
  const { pageCharts } = await import('../report/charts/report-charts.ts');
  const { renderChartSvg } = await import('../report/charts/render-chart-svg.ts');
  const view = buildReportView(input.records);
  // A run without tasks has no scores to draw; where there are some, an empty picture says what was not measured.
  const charts = pageCharts(view, buildStandings(view, input.rows), input.timelines ?? []).filter(
    ({ noData }) => noData === null || view.tasks.length > 0,
  );
  const drawn = charts.map((chart) => ({
    id: chart.id,
    svg: renderChartSvg(chart),
  }));
  const pictures = formats.has('png') ? await renderPngs(drawn.map(({ svg }) => svg)) : [];
  return [
    ...pictures.map((content, index) => ({ name: `${drawn[index]!.id}.png`, content })),
    ...(formats.has('svg') ? drawn.map(({ id, svg }) => ({ name: `${id}.svg`, content: svg })) : []),
  ];
}

async function tableFiles(input: ReportInput, formats: ReadonlySet<ReportFormat>): Promise<ReportFile[]> {
  const view = buildReportView(input.records);
  const files: ReportFile[] = [];
  if (formats.has('csv') || formats.has('xlsx')) {
    const { resultTable } = await import('../report/tables/result-rows.ts');
    const table = resultTable(view);
    if (formats.has('csv')) files.push({ name: 'results.csv', content: (await import('../report/tables/render-csv.ts')).renderCsv(table) });
    if (formats.has('xlsx'))
      files.push({ name: 'results.xlsx', content: await (await import('../report/tables/render-xlsx.ts')).renderXlsx(table) });
  }
  if (formats.has('latex')) {
    const { renderLatex } = await import('../report/tables/render-latex.ts');
    files.push({ name: 'results.tex', content: renderLatex(view, buildStandings(view, input.rows)) });
  }
  if (formats.has('junit'))
    files.push({ name: 'junit.xml', content: (await import('../report/tables/render-junit.ts')).renderJunit(view) });
  return files;
}

/** Renders the files of a report; nothing is written. */
export async function renderReportFiles(input: ReportInput, formats: readonly ReportFormat[]): Promise<ReportFile[]> {
  const wanted = new Set(formats);
  return [
    ...(wanted.has('md') ? [{ name: 'report.md', content: input.records.map(renderMarkdown).join('\n---\n\n') }] : []),
    ...(wanted.has('html') ? [{ name: 'report.html', content: await renderHtmlReport(input) }] : []),
    ...(await chartFiles(input, wanted)),
    ...(await tableFiles(input, wanted)),
  ];
}

async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.tmp-${process.pid}-${randomBytes(4).toString('hex')}`;
  try {
    await writeFile(temporary, content, { flag: 'wx' });
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw cause;
  }
}

/**
 * Writes the files of a report into a folder, which is made when it is missing; each file appears whole or not at all.
 * @returns the paths written, in the order of the formats
 * @throws ToolError `storage`
 */
export async function writeReports(
  input: ReportInput,
  folder: string,
  formats: readonly ReportFormat[] = defaultReportFormats,
): Promise<string[]> {
  const target = resolve(folder);
  const files = await renderReportFiles(input, formats);
  try {
    await mkdir(target, { recursive: true });
    for (const file of files) await writeWhole(join(target, file.name), file.content);
  } catch (cause) {
    throw new ToolError('storage', `cannot write the report into ${target}: ${messageOf(cause)}`, {
      cause,
      hint: 'the run itself is complete',
    });
  }
  return files.map((file) => join(target, file.name));
}
