// The results table of many benchmarks, written between markers of a Markdown file, from records only.
import { ToolError } from '../../core/errors.ts';
import type { BenchmarkRecord } from '../../core/specialise-record.ts';
import { markdownTable } from '../markdown/escape-markdown.ts';
import { cell, score, whole } from './benchmark-cells.ts';

export const indexStart = '<!-- slmbench:index -->';
export const indexEnd = '<!-- /slmbench:index -->';

export interface IndexEntry {
  readonly record: BenchmarkRecord;
  /** Address of the report, relative to the index file. */
  readonly reportPath: string;
}

function metricOf(record: BenchmarkRecord, name: string, average: string | null): number | null {
  return record.score.metrics.find((value) => value.name === name && value.average === average)?.value ?? null;
}

/** Best primary value first within a task; tasks by name. */
export function indexTable(entries: readonly IndexEntry[]): string {
  const ordered = entries.toSorted((a, b) => {
    const [left, right] = [a.record, b.record];
    if (left.dataset.name !== right.dataset.name) return left.dataset.name < right.dataset.name ? -1 : 1;
    const difference = (right.score.primary?.value ?? -1) - (left.score.primary?.value ?? -1);
    return difference !== 0 ? difference : left.name < right.name ? -1 : 1;
  });
  const rows = ordered.map(({ record, reportPath }) => {
    const { support, invalidCount } = record.score;
    const primary = record.score.primary;
    const named = primary === null ? '' : ` (${primary.name}${primary.average === null ? '' : ` ${primary.average}`})`;
    return [
      cell(record.title.split(' — ')[0] ?? record.taskName),
      cell(record.model.title),
      whole(record.testing.examples ?? support),
      support === 0 ? '—' : `${((100 * invalidCount) / support).toFixed(1)} %`,
      score(metricOf(record, 'accuracy', null)),
      score(metricOf(record, 'f1', 'macro')),
      cell(`${score(primary?.value)}${named}`),
      `[details](${encodeURI(reportPath).replace(/[()]/g, (mark) => (mark === '(' ? '%28' : '%29'))})`,
    ];
  });
  const header = ['Task', 'Model', 'Test examples', 'Invalid', 'Accuracy', 'Macro-F1', 'Primary metric', 'Report'];
  return markdownTable(header, ['left', 'left', 'right', 'right', 'right', 'right', 'right', 'left'], rows);
}

/** The text with the table between the markers. @throws ToolError `data` where the markers are missing or out of order */
export function writeIndex(text: string, table: string): string {
  const start = text.indexOf(indexStart);
  const end = text.indexOf(indexEnd);
  if (start < 0 || end < start || text.indexOf(indexStart, start + 1) >= 0) {
    throw new ToolError('data', `the file needs one "${indexStart}" and after it one "${indexEnd}"`);
  }
  const lineEnd = text.includes('\r\n') ? '\r\n' : '\n';
  const block = ['', '', ...table.split('\n'), '', ''].join(lineEnd);
  return text.slice(0, start + indexStart.length) + block + text.slice(end);
}

/** Lines that differ between the index as it is and as the records want it. */
export function indexDrift(current: string, wanted: string): string[] {
  const cut = (text: string) => text.slice(text.indexOf(indexStart), text.indexOf(indexEnd)).split(/\r?\n/);
  const [left, right] = [cut(current), cut(wanted)];
  return [
    ...left.filter((line) => !right.includes(line)).map((line) => `- ${line}`),
    ...right.filter((line) => !left.includes(line)).map((line) => `+ ${line}`),
  ];
}
