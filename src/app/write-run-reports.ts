// The two reports that every finished run keeps beside its record: report.md to read, report.html to look at and to send.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Metric } from '../core/metric.ts';
import type { RunWriter } from '../core/ports/run-store.ts';
import type { RunRecord } from '../core/record.ts';
import { renderMarkdown } from '../report/markdown/render-markdown.ts';
import type { ReportInput } from '../report/report-input.ts';
import { scoreReportRows } from './read-report-input.ts';
import { readTimelines } from './view/read-timelines.ts';
import { renderHtmlReport } from './write-reports.ts';

/** Runs whose page is rendered in another process, so that the harness stays small. */
const largeRun = 20_000;
const runProgram = promisify(execFile);

export interface RunReportOptions {
  /** The run's folder; null where the run is kept in a database. */
  readonly folder: string | null;
  readonly userMetrics: readonly Metric[];
  /** Metrics that only this process has, so that another cannot render the page. @default false */
  readonly hasOwnMetrics?: boolean | undefined;
}

function isLarge(record: RunRecord): boolean {
  return record.results.reduce((sum, entry) => sum + entry.counts.total, 0) > largeRun;
}

/** What a report of a run that was just written is made from. */
export async function reportInputOf(
  record: RunRecord,
  writer: Pick<RunWriter, 'rows'>,
  { folder, userMetrics }: RunReportOptions,
): Promise<ReportInput> {
  return {
    records: [record],
    rows: await scoreReportRows(record, writer.rows(), userMetrics),
    timelines: folder === null ? [] : await readTimelines(folder),
  };
}

/** Writes report.md and report.html as artifacts of the run. */
export async function writeRunReports(
  record: RunRecord,
  writer: Pick<RunWriter, 'rows' | 'writeArtifact'>,
  options: RunReportOptions,
): Promise<void> {
  const { folder } = options;
  await writer.writeArtifact('report.md', renderMarkdown(record));
  if (folder !== null && isLarge(record) && options.hasOwnMetrics !== true && import.meta.url.endsWith('.js'))
    await runProgram(process.execPath, [fileURLToPath(new URL('./report-process.js', import.meta.url)), folder]);
  else await writer.writeArtifact('report.html', await renderHtmlReport(await reportInputOf(record, writer, options)));
}

/** Writes the page of a record without answers: speed under load, quantisations. Their report.md has a form of its own. */
export async function writeMeasurementPage(record: RunRecord, writer: Pick<RunWriter, 'writeArtifact'>, folder: string): Promise<void> {
  await writer.writeArtifact(
    'report.html',
    await renderHtmlReport({ records: [record], rows: [], timelines: await readTimelines(folder) }),
  );
}
