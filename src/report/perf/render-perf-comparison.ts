// A comparison of two performance runs, one line per metric, in words.

import type { Interval } from '../../core/metric.ts';
import { dash, formatFixed, neutraliseControls } from '../format-values.ts';
import { layoutTable, type TerminalStyle } from '../terminal/layout-table.ts';
import { column, type PerfTable } from './perf-tables.ts';
import { perfTableMarkdown } from './render-perf-markdown.ts';

export interface MetricComparisonView {
  readonly metric: string;
  readonly unit: string;
  readonly design: string;
  readonly n: number;
  readonly medianA: number | null;
  readonly medianB: number | null;
  readonly ratio: number | null;
  readonly interval: Interval | null;
  readonly adjustedP: number | null;
  readonly minimumDetectable: number | null;
  readonly neededForMargin: number | null;
  readonly verdict: string;
}

export interface PointComparisonView {
  readonly load: string;
  readonly a: string;
  readonly b: string;
  readonly metrics: readonly MetricComparisonView[];
  readonly warnings: readonly string[];
}

function change(ratio: number | null): string {
  return ratio === null ? dash : `${ratio >= 1 ? '+' : ''}${((ratio - 1) * 100).toFixed(1)} %`;
}

function verdictOf(row: MetricComparisonView, margin: number): string {
  if (row.verdict === 'equivalent') return `within ±${(margin * 100).toFixed(0)} %`;
  if (row.verdict !== 'no change seen' || row.minimumDetectable === null) return row.verdict;
  const more =
    row.neededForMargin === null || row.neededForMargin <= row.n
      ? ''
      : `; ${row.neededForMargin} measurements a side would show ${(margin * 100).toFixed(0)} %`;
  return `${row.verdict} (changes below ${(row.minimumDetectable * 100).toFixed(1)} % would not show${more})`;
}

function tableOf(point: PointComparisonView, margin: number): PerfTable {
  return {
    title: `${point.load}: B = ${point.b} against A = ${point.a}`,
    columns: [
      column('metric', 9, 'left'),
      column('median A', 7),
      column('median B', 7),
      column('change [95 %]', 8),
      column('p (Holm)', 4),
      column('n', 3),
      column('design', 2, 'left'),
      column('verdict', 10, 'left'),
    ],
    rows: point.metrics.map((row) => [
      row.metric,
      `${formatFixed(row.medianA, 2)} ${row.unit}`,
      `${formatFixed(row.medianB, 2)} ${row.unit}`,
      `${change(row.ratio)}${row.interval === null ? '' : ` [${change(row.interval.low)}, ${change(row.interval.high)}]`}`,
      formatFixed(row.adjustedP, 4),
      String(row.n),
      row.design,
      verdictOf(row, margin),
    ]),
  };
}

export function renderPerfComparison(points: readonly PointComparisonView[], margin: number, style: TerminalStyle): string {
  return points
    .map((point) => {
      const table = tableOf(point, margin);
      const warnings = point.warnings.map((warning) => `warning: ${neutraliseControls(warning)}\n`).join('');
      return `${style.bold(neutraliseControls(table.title))}\n${layoutTable(table.columns, table.rows, style)}\n${warnings}`;
    })
    .join('\n');
}

export function renderPerfComparisonMarkdown(points: readonly PointComparisonView[], margin: number): string {
  return points
    .map((point) => `${perfTableMarkdown(tableOf(point, margin))}${point.warnings.map((warning) => `\n- ${warning}`).join('')}\n`)
    .join('\n');
}
