// Score of every model on every task as bars with 95 % intervals; colour says who cannot be told from the best.
import { formatFixed, formatMetric, formatPercent } from '../format-values.ts';
import type { Standings } from '../standings.ts';
import type { ReportView, ViewResult, ViewTask } from '../view-model.ts';
import { baseOption, type Chart, chartWidthPx, emptyChart, titleOption } from './chart.ts';
import { type ChartTheme, lightChartTheme } from './chart-theme.ts';
import { layoutPanels, type Panel } from './panel-grid.ts';
import { horizontalWhiskers } from './whiskers.ts';

/** More panels than this are no picture any more; the tables have them all. */
export const maxTaskPanels = 12;

const title = 'Score by model and task';

function panelOf(task: ViewTask, rows: readonly (ViewResult | undefined)[]): Panel {
  const primary = task.results.find(({ entry }) => entry.primary !== null)?.entry.primary ?? null;
  const isShare = primary?.unit === 'fraction';
  const lowest = Math.min(0, ...rows.map((row) => row?.entry.primary?.interval?.low ?? row?.entry.primary?.value ?? 0));
  return {
    title: task.task.key,
    min: lowest < 0 ? Math.floor(lowest * 10) / 10 : 0,
    max: isShare ? 1 : null,
    axisFormat: (value) => (isShare ? `${Math.round(value * 100)} %` : String(value)),
    axisName: `${primary?.name ?? ''}${primary?.average == null ? '' : ` ${primary.average}`}${isShare ? '' : ` (${primary?.unit ?? ''}${primary?.higherIsBetter === false ? ', lower is better' : ''})`}`,
    values: rows.map((row) => {
      const value = row?.entry.primary?.value ?? null;
      return value === null ? '—' : isShare ? formatPercent(value) : formatFixed(value, 3);
    }),
    bold: rows.map((row) => row !== undefined && row.model.key === task.best),
  };
}

function colourOf(task: ViewTask, result: ViewResult, theme: ChartTheme): string {
  if (task.results.length < 2 || result.model.key === task.best) return theme.accent;
  return task.overlapsBest.includes(result.model.key) ? theme.tied : theme.behind;
}

function panelSeries(task: ViewTask, rows: readonly (ViewResult | undefined)[], index: number, barWidth: number, theme: ChartTheme) {
  const measured = rows.flatMap((result, row) => ((result?.entry.primary?.value ?? null) === null ? [] : [{ result: result!, row }]));
  const axes = { xAxisIndex: index, yAxisIndex: index * 2 };
  return {
    bars: {
      ...axes,
      type: 'bar',
      name: task.task.key,
      barWidth,
      data: measured.map(({ result, row }) => ({
        value: [result.entry.primary!.value, row],
        itemStyle: { color: colourOf(task, result, theme), borderRadius: [0, 2, 2, 0] },
        tooltip: {
          formatter: `${result.model.key}\n${task.task.key}: ${formatMetric(result.entry.primary)}\nn ${result.entry.primary!.n}`,
        },
      })),
    },
    whiskers: {
      ...axes,
      type: 'custom',
      name: `${task.task.key} interval`,
      silent: true,
      z: 5,
      encode: { x: [1, 2], y: 0 },
      renderItem: horizontalWhiskers(theme.whisker, Math.max(3, barWidth / 4)),
      data: measured.flatMap(({ result: { entry }, row }) =>
        entry.primary!.interval === null ? [] : [[row, entry.primary!.interval.low, entry.primary!.interval.high]],
      ),
    },
  };
}

export function buildAccuracyOption(view: ReportView, standings: Standings, theme: ChartTheme = lightChartTheme): Chart {
  const id = 'accuracy_comparison';
  const tasks = view.tasks.filter((task) => task.best !== null).slice(0, maxTaskPanels);
  if (tasks.length === 0) return emptyChart(id, title, 'No task has a score.', theme);
  const models = standings.models.map(({ model }) => model.key);
  const rowsOf = (task: ViewTask) => models.map((key) => task.results.find((result) => result.model.key === key));
  const layout = layoutPanels(
    tasks.map((task) => panelOf(task, rowsOf(task))),
    models,
    models.length > 1 ? 68 : 58,
    theme,
  );
  const series = tasks.map((task, index) => panelSeries(task, rowsOf(task), index, layout.barWidth, theme));
  const more = view.tasks.length > tasks.length ? ` First ${tasks.length} of ${view.tasks.length} tasks.` : '';
  const legend = models.length > 1 ? 'Strong: best of the task. Middle: interval overlaps the best. Grey: behind.' : 'Bar: value.';
  return {
    id,
    title,
    description: `Bars of the primary score with 95 percent intervals, ${models.length} models on ${tasks.length} tasks.`,
    widthPx: chartWidthPx,
    heightPx: layout.heightPx,
    noData: null,
    marks: Object.fromEntries(series.flatMap(({ bars, whiskers }) => [bars, whiskers].map((one) => [one.name, one.data.length]))),
    option: {
      ...baseOption(theme),
      title: [titleOption(title, `${legend} Whiskers: 95 % interval.${more}`, theme), ...layout.titles],
      grid: layout.grid,
      xAxis: layout.xAxis,
      yAxis: layout.yAxis,
      series: series.flatMap(({ bars, whiskers }) => [bars, whiskers]),
    },
  };
}
