// Latency of one answer as nested bars: median in front, 95th and 99th percentile behind it.
import { dash, formatDuration } from '../format-values.ts';
import type { Standings } from '../standings.ts';
import type { ReportView, ViewResult, ViewTask } from '../view-model.ts';
import { maxTaskPanels } from './build-accuracy-option.ts';
import { baseOption, type Chart, chartWidthPx, emptyChart, titleOption } from './chart.ts';
import { type ChartTheme, chartFont, lightChartTheme } from './chart-theme.ts';
import { layoutPanels, type Panel } from './panel-grid.ts';

const title = 'Latency per answer';
const levels = ['p99', 'p95', 'p50'] as const;

export interface TimeUnit {
  readonly name: 'ms' | 's';
  readonly perMs: number;
}

/** Seconds where the largest value is two seconds or more. */
export function timeUnitFor(largestMs: number): TimeUnit {
  return largestMs >= 2000 ? { name: 's', perMs: 0.001 } : { name: 'ms', perMs: 1 };
}

function largestOf(rows: readonly (ViewResult | undefined)[]): number {
  return Math.max(0, ...rows.map((row) => row?.entry.speed.latencyMs.p99 ?? row?.entry.speed.latencyMs.p50 ?? 0));
}

function panelOf(task: ViewTask, rows: readonly (ViewResult | undefined)[]): Panel {
  const medians = rows.map((row) => row?.entry.speed.latencyMs.p50 ?? null);
  const fastest = Math.min(...medians.filter((value) => value !== null));
  return {
    title: task.task.key,
    max: null,
    axisFormat: (value) => value.toLocaleString('en', { maximumFractionDigits: 2 }),
    axisName: timeUnitFor(largestOf(rows)).name,
    values: medians.map((value) => (value === null ? dash : formatDuration(value))),
    bold: medians.map((value) => value === fastest),
  };
}

function levelSeries(
  task: ViewTask,
  rows: readonly (ViewResult | undefined)[],
  index: number,
  level: (typeof levels)[number],
  look: { readonly colour: string; readonly barWidth: number },
) {
  const { perMs } = timeUnitFor(largestOf(rows));
  return {
    type: 'bar',
    name: level,
    id: `${task.task.key} ${level}`,
    xAxisIndex: index,
    yAxisIndex: index * 2,
    barGap: '-100%',
    barWidth: look.barWidth,
    itemStyle: { color: look.colour, borderRadius: [0, 2, 2, 0] },
    data: rows.flatMap((row, at) => {
      const latency = row?.entry.speed.latencyMs;
      const value = latency?.[level] ?? null;
      if (row === undefined || value === null || latency === undefined) return [];
      const all = levels
        .toReversed()
        .map((name) => `${name} ${formatDuration(latency[name])}${latency.weak.includes(name) ? ' (few samples)' : ''}`);
      return [
        { value: [value * perMs, at], tooltip: { formatter: `${row.model.key}\n${task.task.key}\n${all.join('\n')}\nn ${latency.n}` } },
      ];
    }),
  };
}

export function buildLatencyOption(view: ReportView, standings: Standings, theme: ChartTheme = lightChartTheme): Chart {
  const id = 'latency_comparison';
  const tasks = view.tasks.filter((task) => task.results.some(({ entry }) => entry.speed.latencyMs.p50 !== null)).slice(0, maxTaskPanels);
  if (tasks.length === 0) return emptyChart(id, title, 'No answer was timed (all came from the cache, or nothing ran).', theme);
  const models = standings.models.map(({ model }) => model.key);
  const rowsOf = (task: ViewTask) => models.map((key) => task.results.find((result) => result.model.key === key));
  const layout = layoutPanels(
    tasks.map((task) => panelOf(task, rowsOf(task))),
    models,
    74,
    theme,
  );
  const colours = { p99: theme.farTail, p95: theme.tail, p50: theme.accent };
  const series = tasks.flatMap((task, index) =>
    levels.map((level) => levelSeries(task, rowsOf(task), index, level, { colour: colours[level], barWidth: layout.barWidth })),
  );
  return {
    id,
    title,
    description: `Nested bars of the median, 95th and 99th percentile latency, ${models.length} models on ${tasks.length} tasks.`,
    widthPx: chartWidthPx,
    heightPx: layout.heightPx,
    noData: null,
    marks: Object.fromEntries(series.map((one) => [one.id, one.data.length])),
    option: {
      ...baseOption(theme),
      title: [
        titleOption(title, 'From hand-over of the request to its last token; fresh answers only. Numbers: median.', theme),
        ...layout.titles,
      ],
      legend: {
        data: levels.toReversed(),
        right: 16,
        top: 14,
        itemWidth: 14,
        itemHeight: 10,
        textStyle: { color: theme.ink, fontFamily: chartFont, fontSize: 12 },
        selectedMode: false,
      },
      grid: layout.grid,
      xAxis: layout.xAxis,
      yAxis: layout.yAxis,
      series,
    },
  };
}
