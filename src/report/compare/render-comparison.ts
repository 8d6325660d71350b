// A comparison in words and tables, for the terminal and for a pull-request comment.
import { dash, formatFixed, formatMetric, formatPercent } from '../format-values.ts';
import { markdownCell, markdownTable } from '../markdown/escape-markdown.ts';
import { layoutTable, type TableColumn, type TerminalStyle } from '../terminal/layout-table.ts';
import type { ContenderResult, RecordsComparison, TaskComparison } from './compare-records.ts';

const headers = [
  'task',
  'model',
  'result [95 %]',
  'vs baseline',
  'p (Holm)',
  'verdict',
  'gained/lost',
  'latency',
  'memory',
  'tok/s',
] as const;
const priorities = [10, 11, 12, 9, 6, 8, 4, 7, 5, 3] as const;

function difference(result: ContenderResult): string {
  const { against, primary } = result;
  if (against === null || against.difference === null) return dash;
  const isShare = primary?.unit === 'fraction';
  const sign = against.difference > 0 ? '+' : '';
  const scale = isShare ? 100 : 1;
  const digits = isShare ? 1 : 4;
  const interval =
    against.interval === null
      ? ''
      : ` [${(against.interval.low * scale).toFixed(digits)}, ${(against.interval.high * scale).toFixed(digits)}]`;
  return `${sign}${(against.difference * scale).toFixed(digits)}${isShare ? ' pp' : ''}${interval}`;
}

function pText(p: number | null): string {
  if (p === null) return dash;
  return p < 0.001 ? '< 0.001' : p.toFixed(3);
}

function cells(task: TaskComparison, result: ContenderResult): string[] {
  const { against } = result;
  return [
    task.task.key,
    result.contender.label,
    formatMetric(result.primary),
    difference(result),
    pText(result.adjustedP),
    result.verdict,
    against === null || against.onlyA === null ? dash : `${against.onlyB}/${against.onlyA}`,
    result.latencyRatio === null ? dash : `${formatFixed(result.latencyRatio, 2)}x`,
    result.memoryRatio === null ? dash : `${formatFixed(result.memoryRatio, 2)}x`,
    result.decodeRateRatio === null ? dash : `${formatFixed(result.decodeRateRatio, 2)}x`,
  ];
}

/** `Best on arc-easy: A (48.0 % [..]); its lead over B is not distinguishable (p 0.31, n 50; ...)`. */
export function bestSentence(task: TaskComparison): string {
  if (task.best === null) return `${task.task.key}: nothing was measured.`;
  const best = task.results.find((result) => result.contender.label === task.best)!;
  const opening = `Best on ${task.task.key}: ${task.best} (${formatMetric(best.primary)})`;
  if (task.lead === null) return `${opening}.`;
  const { over, verdict, comparison } = task.lead;
  const facts = `p ${pText(comparison.p)}, n ${comparison.n}`;
  if (verdict === 'better') return `${opening}; its lead over ${over} is distinguishable (${facts}).`;
  if (verdict === 'not enough data') return `${opening}; too few items to say whether it is better than ${over} (${facts}).`;
  const detectable =
    comparison.minimumDetectable === null
      ? ''
      : `; ${comparison.n} items show differences of about ${formatPercent(comparison.minimumDetectable)} and more`;
  return `${opening}; its lead over ${over} is not distinguishable (${facts}${detectable}).`;
}

function notes(comparison: RecordsComparison): string[] {
  const lines = comparison.tasks.map(bestSentence);
  if (comparison.unshared.length > 0) lines.push(`Not run by all: ${comparison.unshared.join(', ')}.`);
  return lines;
}

export function renderComparisonTerminal(comparison: RecordsComparison, style: TerminalStyle): string {
  const columns: TableColumn[] = headers.map((title, index) => ({
    title,
    align: index < 2 || title === 'verdict' ? 'left' : 'right',
    priority: priorities[index]!,
  }));
  const rows = comparison.tasks.flatMap((task) => task.results.map((result) => cells(task, result)));
  const deltas = comparison.tasks.flatMap((task) =>
    task.results.flatMap((result) => {
      const worst = result.categories
        .filter((category) => category.difference !== null)
        .toSorted((a, b) => Math.abs(b.difference!) - Math.abs(a.difference!))
        .slice(0, 5);
      return worst.length === 0
        ? []
        : [
            `${task.task.key}, ${result.contender.label} by category: ${worst.map((category) => `${category.category} ${category.difference! >= 0 ? '+' : ''}${(category.difference! * 100).toFixed(1)} pp (n ${category.n})`).join(', ')}`,
          ];
    }),
  );
  return `${[layoutTable(columns, rows, style), '', ...notes(comparison), ...deltas].join('\n')}\n`;
}

export function renderComparisonMarkdown(comparison: RecordsComparison): string {
  const rows = comparison.tasks.flatMap((task) => task.results.map((result) => cells(task, result).map(markdownCell)));
  const table = markdownTable(
    headers,
    headers.map((title, index) => (index < 2 || title === 'verdict' ? 'left' : 'right')),
    rows,
  );
  return `## Comparison\n\n${table}\n\n${notes(comparison)
    .map((line) => `- ${markdownCell(line)}`)
    .join('\n')}\n\nPaired on the same items; ${comparison.correction}.\n`;
}
