// One model on one task in Markdown: primary metric, metric table, per-class results, invalid line, categories, validity.
import type { MetricValue } from '../../core/metric.ts';
import type { ResultEntry } from '../../core/record.ts';
import { dash, formatFixed } from '../format-values.ts';
import type { ViewResult } from '../view-model.ts';
import { markdownCell, markdownTable } from './escape-markdown.ts';

function metricRows(values: readonly MetricValue[]): string[][] {
  return values.map((metric) => [
    markdownCell(metric.name),
    metric.average === null ? dash : markdownCell(metric.average),
    formatFixed(metric.value, 4),
    metric.interval === null ? dash : `[${metric.interval.low.toFixed(4)}, ${metric.interval.high.toFixed(4)}] ${metric.interval.method}`,
    String(metric.n),
  ]);
}

function perClass(entry: ResultEntry): string[] {
  const parts: string[] = [];
  for (const details of Object.values(entry.metrics.details)) {
    if (details.perClass !== undefined && details.perClass.length > 0) {
      const rows = details.perClass.map((row) => [
        markdownCell(row.label),
        ...[row.precision, row.recall, row.f1].map((value) => formatFixed(value, 4)),
        String(row.support),
      ]);
      parts.push(
        '#### Per-class results',
        markdownTable(['Class', 'Precision', 'Recall', 'F1', 'Support'], ['left', 'right', 'right', 'right', 'right'], rows),
      );
    }
    if (details.confusion !== undefined) {
      const { labels, counts } = details.confusion;
      const rows = labels.map((label, index) => [markdownCell(label), ...(counts[index] ?? []).map(String)]);
      const align = ['left' as const, ...labels.map(() => 'right' as const), 'right' as const];
      parts.push(
        'Confusion matrix (rows gold, columns predicted):',
        markdownTable(['', ...labels.map(markdownCell), '(invalid)'], align, rows),
      );
    }
  }
  return parts;
}

function listed(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).map(([name, count]) => `${markdownCell(name)} ${count}`);
  return parts.length > 0 ? ` (${parts.join(', ')})` : '';
}

function invalidLine({ counts }: ResultEntry): string {
  return [
    `Invalid/unrecognized predictions: **${counts.invalid}**${listed(counts.invalidReasons)}`,
    `errors: **${counts.error}**${listed(counts.errorClasses)}`,
    `truncated: **${counts.truncated}**`,
    `missing: **${counts.missing}**`,
  ].join(' · ');
}

function categories(entry: ResultEntry): string {
  const names = [...new Set(entry.categories.flatMap((category) => category.values.map((value) => value.name)))].slice(0, 3);
  const rows = entry.categories.map((category) => [
    markdownCell(category.category),
    ...names.map((name) => formatFixed(category.values.find((value) => value.name === name)?.value, 4)),
    String(category.n),
  ]);
  return markdownTable(['Category', ...names, 'n'], ['left', ...names.map(() => 'right' as const), 'right'], rows);
}

export function resultBlock(result: ViewResult): string {
  const { entry } = result;
  const { primary, validity } = entry;
  const parts = [
    `### ${markdownCell(result.task.key)}: ${markdownCell(result.model.key)}`,
    primary === null
      ? ''
      : `**Primary metric:** ${primary.name}${primary.average === null ? '' : ` (${primary.average})`} = **${formatFixed(primary.value, 4)}**`,
    markdownTable(
      ['Metric', 'Average', 'Value', '95 % interval', 'n'],
      ['left', 'left', 'right', 'right', 'right'],
      metricRows(entry.metrics.values),
    ),
    ...perClass(entry),
    invalidLine(entry),
    entry.categories.length > 1 ? categories(entry) : '',
    validity.verdict === 'valid'
      ? ''
      : `**Validity: ${validity.verdict}.** ${validity.reasons.map((reason) => markdownCell(reason.message)).join('; ')}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}
