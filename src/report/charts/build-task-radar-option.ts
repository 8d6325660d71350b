// Radar of the scores over tasks: the profile of each model.
import { formatPercent } from '../format-values.ts';
import type { Standing, Standings } from '../standings.ts';
import type { ReportView } from '../view-model.ts';
import { outlinedModels, outlineStyle, radarFrame } from './build-radar-option.ts';
import { baseOption, type Chart, chartWidthPx, titleOption } from './chart.ts';
import { type ChartTheme, lightChartTheme } from './chart-theme.ts';
import { shareTasks } from './share-tasks.ts';

const title = 'Profile over tasks';
/** More axes than this cannot be read. */
const mostTasks = 14;

/** @returns null for fewer than two models or three tasks, and for more tasks than can be read */
export function buildTaskRadarOption(view: ReportView, standings: Standings, theme: ChartTheme = lightChartTheme): Chart | null {
  const shown = outlinedModels(standings);
  const scoreOf = (task: ReturnType<typeof shareTasks>[number], { model }: Standing): number | null =>
    task.results.find((result) => result.model.key === model.key)?.entry.primary?.value ?? null;
  // A task without a value of some model is left to the heat map: here it would be drawn in the middle, as 0 %.
  const tasks = shareTasks(view).filter((task) => shown.every((standing) => scoreOf(task, standing) !== null));
  if (standings.models.length < 2 || tasks.length < 3 || tasks.length > mostTasks) return null;
  const data = shown.map((standing, index) => {
    const { model } = standing;
    const shares = tasks.map((task) => scoreOf(task, standing)!);
    const lines = tasks.map(({ task }, at) => `${task.key}: ${formatPercent(shares[at]!)}`);
    return {
      name: model.key,
      value: shares,
      ...outlineStyle(index, shown.length, theme),
      tooltip: { formatter: `${model.key}\n${lines.join('\n')}` },
    };
  });
  const cut =
    standings.models.length > shown.length ? ` ${shown.length} of ${standings.models.length} models: the Pareto front first.` : '';
  return {
    id: 'task_radar',
    title,
    description: `Radar of the scores of ${shown.length} models on ${tasks.length} tasks, from 0 in the middle to 100 % outside.`,
    widthPx: chartWidthPx,
    heightPx: 560,
    noData: null,
    marks: { models: data.length },
    option: {
      ...baseOption(theme),
      title: titleOption(title, `Primary metric of each task: 0 in the middle, 100 % outside, a ring is 25 points.${cut}`, theme),
      ...radarFrame(
        tasks.map(({ task }) => task.key),
        shown.map(({ model }) => model.key),
        theme,
      ),
      series: [{ type: 'radar', name: 'models', data, emphasis: { focus: 'self' } }],
    },
  };
}
