// The five pictures of every report, in the order of the page; their ids are the file names.
import type { Standings } from '../standings.ts';
import type { ReportView } from '../view-model.ts';
import { buildAccuracyOption } from './build-accuracy-option.ts';
import { buildLatencyOption } from './build-latency-option.ts';
import { buildRadarOption } from './build-radar-option.ts';
import { buildResourceOption } from './build-resource-option.ts';
import { buildTradeoffOption } from './build-tradeoff-option.ts';
import type { Chart } from './chart.ts';
import type { ChartTheme } from './chart-theme.ts';

export function overviewCharts(view: ReportView, standings: Standings, theme?: ChartTheme): readonly Chart[] {
  return [
    buildTradeoffOption(standings, theme),
    buildAccuracyOption(view, standings, theme),
    buildLatencyOption(view, standings, theme),
    buildResourceOption(standings, theme),
    buildRadarOption(standings, theme),
  ];
}
