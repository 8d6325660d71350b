// All pictures of a report page, in the order of the page. The ids of the first five are the names of the picture files.
import type { Timeline } from '../report-input.ts';
import type { Standings } from '../standings.ts';
import type { ReportView } from '../view-model.ts';
import { buildAccuracyOption } from './build-accuracy-option.ts';
import { buildHistogramOption, type LatencySeries } from './build-histogram-option.ts';
import { buildLatencyOption } from './build-latency-option.ts';
import { buildRadarOption } from './build-radar-option.ts';
import { buildReliabilityOption } from './build-reliability-option.ts';
import { buildResourceOption } from './build-resource-option.ts';
import { buildTaskHeatOption } from './build-task-heat-option.ts';
import { buildTaskRadarOption } from './build-task-radar-option.ts';
import { buildTradeoffOption } from './build-tradeoff-option.ts';
import type { Chart } from './chart.ts';
import type { ChartTheme } from './chart-theme.ts';
import { recordCurves } from './record-curves.ts';
import { timelineCharts } from './timeline-charts.ts';

/** Charts of single tasks: beyond these numbers a page of pictures helps nobody. */
const maxTasks = 12;
const maxReliability = 3;

export interface TaskChart {
  readonly task: string;
  readonly chart: Chart;
}

/** The five pictures of every report, then those over tasks where there are enough models and tasks. */
export function overviewCharts(view: ReportView, standings: Standings, theme?: ChartTheme): readonly Chart[] {
  return [
    buildTradeoffOption(standings, theme),
    buildAccuracyOption(view, standings, theme),
    buildLatencyOption(view, standings, theme),
    buildResourceOption(standings, theme),
    buildRadarOption(standings, theme),
    ...[buildTaskRadarOption(view, standings, theme), buildTaskHeatOption(view, standings, theme)].filter((chart) => chart !== null),
  ];
}

/** The overview, resources over time, then curves that the records hold beside their scores. */
export function pageCharts(view: ReportView, standings: Standings, timelines: readonly Timeline[], theme?: ChartTheme): readonly Chart[] {
  return [...overviewCharts(view, standings, theme), ...timelineCharts(timelines, theme), ...recordCurves(view, theme)];
}

/** @param latenciesOf - latencies of fresh answers by model, for one task */
export function taskCharts(
  view: ReportView,
  standings: Standings,
  latenciesOf: (task: string) => readonly LatencySeries[],
  theme?: ChartTheme,
): readonly TaskChart[] {
  return view.tasks.slice(0, maxTasks).flatMap(({ task, results }, at) => {
    const known = latenciesOf(task.key).filter(({ valuesMs }) => valuesMs.length >= 10);
    const series = standings.models.flatMap(({ model }) => known.find((one) => one.model === model.key) ?? []);
    const histogram = series.length === 0 ? [] : [buildHistogramOption(series, { id: `latency-${at}`, task: task.key }, theme)];
    const calibrated = standings.models.flatMap(({ model }) => {
      const entry = results.find((result) => result.model.key === model.key)?.entry;
      const bins = Object.values(entry?.metrics.details ?? {}).find((details) => details.reliability !== undefined)?.reliability;
      return bins === undefined || bins.every((bin) => bin.n === 0) ? [] : [{ model: model.key, bins }];
    });
    const reliability = calibrated
      .slice(0, maxReliability)
      .map(({ model, bins }, index) => buildReliabilityOption(bins, { id: `reliability-${at}-${index}`, model, task: task.key }, theme));
    return [...histogram, ...reliability].map((chart) => ({ task: task.key, chart }));
  });
}
