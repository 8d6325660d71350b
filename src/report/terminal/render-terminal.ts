// The comparison as a terminal table, then groups and warnings.
import type { RunRecord } from '../../core/record.ts';
import { dash, formatBytes, formatDuration, formatFixed, formatMetric, neutraliseControls } from '../format-values.ts';
import { buildStandings } from '../standings.ts';
import { buildReportView, type ViewResult, type ViewTask } from '../view-model.ts';
import { layoutTable, type TableColumn, type TerminalStyle } from './layout-table.ts';
import { renderBars } from './render-bars.ts';

const columns: readonly TableColumn[] = [
  { title: 'task', align: 'left', priority: 10 },
  { title: 'model', align: 'left', priority: 11 },
  { title: 'result [95 %]', align: 'right', priority: 12 },
  { title: 'metric', align: 'left', priority: 6 },
  { title: 'n', align: 'right', priority: 5 },
  { title: 'inv/err/trunc', align: 'right', priority: 4 },
  { title: 'latency p50', align: 'right', priority: 9 },
  { title: 'p95', align: 'right', priority: 3 },
  { title: 'TTFT p50', align: 'right', priority: 2 },
  { title: 'out tok/s', align: 'right', priority: 8 },
  { title: 'peak mem', align: 'right', priority: 7 },
];

function row(task: ViewTask, result: ViewResult): string[] {
  const { entry } = result;
  const mark =
    task.results.length < 2 ? '' : task.best === result.model.key ? ' *' : task.overlapsBest.includes(result.model.key) ? ' ~' : '';
  return [
    task.task.key,
    result.model.key,
    formatMetric(entry.primary) + mark,
    entry.primary === null ? dash : entry.primary.name + (entry.primary.average === null ? '' : ` ${entry.primary.average}`),
    String(entry.counts.scored + entry.counts.invalid),
    `${entry.counts.invalid}/${entry.counts.error}/${entry.counts.truncated}`,
    formatDuration(entry.speed.latencyMs.p50),
    formatDuration(entry.speed.latencyMs.p95),
    formatDuration(entry.speed.ttftMs.p50),
    formatFixed(entry.speed.decodeTokensPerSecond, 1),
    formatBytes(result.peakRssBytes),
  ];
}

export function renderTerminal(records: readonly RunRecord[], style: TerminalStyle): string {
  const view = buildReportView(records);
  const parts = [
    layoutTable(
      columns,
      view.tasks.flatMap((task) => task.results.map((result) => row(task, result))),
      style,
    ),
  ];
  if (view.tasks.some((task) => task.results.length > 1))
    parts.push(style.dim('* best   ~ interval overlaps the best: `slmbench compare` gives the paired test'));
  const bars = renderBars(buildStandings(view), style);
  if (bars !== '') parts.push('', bars.trimEnd());
  for (const group of records.flatMap((record) => record.groups))
    parts.push(`${group.group} ${group.model}: ${formatMetric(group.value)} (weighted by ${group.weighting})`);
  for (const warning of view.warnings.slice(0, 10)) parts.push(`warning: ${neutraliseControls(warning)}`);
  if (view.warnings.length > 10) parts.push(`... ${view.warnings.length - 10} more warnings in the report`);
  return `${parts.join('\n')}\n`;
}
