// Many benchmark records as one table: Markdown, CSV, LaTeX and JSON from the same cells.
import type { BenchmarkRecord } from '../../core/specialise-record.ts';
import { dash } from '../format-values.ts';
import { markdownTable } from '../markdown/escape-markdown.ts';
import { cell } from './benchmark-cells.ts';

export interface MergedTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
}

const fixedColumns = [
  'name',
  'task',
  'model',
  'dataset',
  'created',
  'smoke',
  'test_examples',
  'invalid',
  'primary_metric',
  'primary_value',
  'primary_low',
  'primary_high',
];
const lastColumns = ['seeds', 'seed_mean', 'seed_sd', 'training_seconds', 'global_steps', 'training_loss', 'adapter_bytes', 'test_seconds'];

function metricColumn(value: { readonly name: string; readonly average: string | null }): string {
  return value.average === null ? value.name : `${value.name}_${value.average}`;
}

/** One row a record, in the given order; every metric that any record has is a column. */
export function mergeRecords(records: readonly BenchmarkRecord[]): MergedTable {
  const metrics = [...new Set(records.flatMap((record) => record.score.metrics.map(metricColumn)))];
  const rows = records.map((record) => {
    const { primary, metrics: values, support, invalidCount } = record.score;
    const byColumn = new Map(values.map((value) => [metricColumn(value), value.value]));
    return [
      record.name,
      record.taskName,
      record.model.title,
      record.dataset.name,
      record.created,
      record.smoke ? 'yes' : 'no',
      record.testing.examples ?? support,
      invalidCount,
      primary === null ? null : metricColumn(primary),
      primary?.value ?? null,
      primary?.interval?.low ?? null,
      primary?.interval?.high ?? null,
      ...metrics.map((column) => byColumn.get(column) ?? null),
      record.seedSummary?.n ?? null,
      record.seedSummary?.mean ?? null,
      record.seedSummary?.sd ?? null,
      record.training?.elapsedSeconds ?? null,
      record.training?.globalSteps ?? null,
      record.training?.trainingLoss ?? null,
      record.training?.adapterSizeBytes ?? null,
      record.testing.elapsedSeconds,
    ];
  });
  return { columns: [...fixedColumns, ...metrics, ...lastColumns], rows };
}

/** Columns without a single value drop out. */
function filled({ columns, rows }: MergedTable): MergedTable {
  const keep = columns.map((_, index) => rows.some((row) => row[index] !== null && row[index] !== ''));
  return { columns: columns.filter((_, index) => keep[index]), rows: rows.map((row) => row.filter((_, index) => keep[index])) };
}

function shown(value: string | number | null): string {
  if (value === null) return dash;
  if (typeof value === 'string') return value;
  return Number.isInteger(value) ? String(value) : value.toFixed(4);
}

export function mergedMarkdown(table: MergedTable): string {
  const { columns, rows } = filled(table);
  const align = columns.map((_, index) => (rows.some((row) => typeof row[index] === 'number') ? ('right' as const) : ('left' as const)));
  return `${markdownTable(
    columns.map(cell),
    align,
    rows.map((row) => row.map((value) => cell(shown(value)))),
  )}\n`;
}

/** A text that a spreadsheet could take for a formula is opened by an apostrophe. */
function csvCell(value: string | number | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const safe = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

/** RFC 4180, unrounded numbers. */
export function mergedCsv({ columns, rows }: MergedTable): string {
  return [columns, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

const latexMarks: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  [dash]: '---',
};

function latexCell(value: string | number | null): string {
  return shown(value).replace(/[\\~^&%$#_{}—]/g, (mark) => latexMarks[mark] ?? `\\${mark}`);
}

/** A booktabs table. */
export function mergedLatex(table: MergedTable): string {
  const { columns, rows } = filled(table);
  const align = columns.map((_, index) => (rows.some((row) => typeof row[index] === 'number') ? 'r' : 'l')).join('');
  const line = (cells: readonly (string | number | null)[]) => `  ${cells.map(latexCell).join(' & ')} \\\\`;
  return [
    '\\begin{tabular}{' + align + '}',
    '  \\toprule',
    line(columns),
    '  \\midrule',
    ...rows.map(line),
    '  \\bottomrule',
    '\\end{tabular}',
    '',
  ].join('\n');
}

export function mergedJson({ columns, rows }: MergedTable): string {
  return `${JSON.stringify(
    rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]))),
    null,
    2,
  )}\n`;
}
