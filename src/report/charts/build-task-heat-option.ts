// Heat map of every model on every task: where each is strong, at a glance. The longer list runs down, where names are easy to read.
import { formatPercent } from '../format-values.ts';
import type { Standings } from '../standings.ts';
import type { ReportView } from '../view-model.ts';
import { axisText, baseOption, type Chart, chartWidthPx, shortName, titleOption } from './chart.ts';
import { type ChartTheme, chartFont, lightChartTheme } from './chart-theme.ts';
import { inkOnHeat } from './heat-ink.ts';
import { shareTasks } from './share-tasks.ts';

const title = 'Score of every model on every task';
/** Larger grids are left to the table. */
const mostRows = 60;
const mostColumns = 20;

interface Cell {
  readonly model: string;
  readonly task: string;
  readonly share: number;
}

function cellsOf(view: ReportView, standings: Standings): Cell[] {
  return shareTasks(view).flatMap(({ task, results }) =>
    standings.models.flatMap(({ model }) => {
      const share = results.find((result) => result.model.key === model.key)?.entry.primary?.value ?? null;
      return share === null ? [] : [{ model: model.key, task: task.key, share }];
    }),
  );
}

/** @returns null for fewer than two models or three tasks, and for grids too large for a picture */
export function buildTaskHeatOption(view: ReportView, standings: Standings, theme: ChartTheme = lightChartTheme): Chart | null {
  const cells = cellsOf(view, standings);
  const tasks = [...new Set(cells.map(({ task }) => task))];
  const models = standings.models.map(({ model }) => model.key).filter((key) => cells.some(({ model }) => model === key));
  const [rows, columns] = tasks.length > models.length ? [tasks, models] : [models, tasks];
  if (models.length < 2 || tasks.length < 3 || rows.length > mostRows || columns.length > mostColumns) return null;
  const low = Math.min(...cells.map(({ share }) => share));
  const high = Math.max(...cells.map(({ share }) => share));
  const isWide = columns.length <= 5;
  const rowPx = rows.length > 25 ? 22 : 34;
  const data = cells.map(({ model, task, share }) => {
    const [down, across] = rows === tasks ? [task, model] : [model, task];
    const depth = high === low ? 0 : (share - low) / (high - low);
    return {
      value: [columns.indexOf(across), rows.indexOf(down), share],
      label: {
        show: true,
        formatter: (share * 100).toFixed(columns.length > 12 ? 0 : 1),
        color: inkOnHeat(depth, theme),
        fontFamily: chartFont,
        fontSize: 11,
      },
      tooltip: { formatter: `${model}\n${task}\n${formatPercent(share)}` },
    };
  });
  return {
    id: 'task_heatmap',
    title,
    description: `Heat map of ${models.length} models on ${tasks.length} tasks: ${cells.length} scores from ${formatPercent(low)} to ${formatPercent(high)}.`,
    widthPx: chartWidthPx,
    heightPx: (isWide ? 128 : 190) + rows.length * rowPx,
    noData: null,
    marks: { scores: data.length },
    option: {
      ...baseOption(theme),
      title: titleOption(
        title,
        `Primary metric in %; from ${formatPercent(low)} to ${formatPercent(high)}. Models in order of their mean.`,
        theme,
      ),
      grid: { left: 210, right: 32, top: 76, bottom: isWide ? 46 : 108 },
      xAxis: {
        type: 'category',
        data: columns,
        axisLabel: {
          ...axisText(theme),
          interval: 0,
          rotate: isWide ? 0 : 35,
          formatter: (name: string) => shortName(name, isWide ? 22 : 18),
        },
        axisTick: { show: false },
        axisLine: { show: false },
      },
      yAxis: {
        type: 'category',
        inverse: true,
        data: rows,
        axisLabel: { ...axisText(theme), interval: 0, formatter: (name: string) => shortName(name, 30) },
        axisTick: { show: false },
        axisLine: { show: false },
      },
      visualMap: { show: false, min: low, max: high === low ? low + 1 : high, dimension: 2, inRange: { color: [...theme.heat] } },
      series: [{ type: 'heatmap', name: 'scores', data, itemStyle: { borderColor: theme.surface, borderWidth: 2 } }],
    },
  };
}
