// Reliability diagram: how often answers of a given confidence are right, against the diagonal of perfect calibration.
import type { MetricDetails } from '../../core/metric.ts';
import { formatPercent } from '../format-values.ts';
import { axisText, baseOption, type Chart, emptyChart, shortName, titleOption } from './chart.ts';
import { type ChartTheme, lightChartTheme } from './chart-theme.ts';

export function buildReliabilityOption(
  bins: NonNullable<MetricDetails['reliability']>,
  about: { readonly id: string; readonly model: string; readonly task: string },
  theme: ChartTheme = lightChartTheme,
): Chart {
  const title = 'Reliability';
  const filled = bins.filter((bin) => bin.n > 0 && bin.accuracy !== null && bin.confidence !== null);
  if (filled.length === 0) return emptyChart(about.id, title, 'No answer has a confidence.', theme);
  const largest = Math.max(...filled.map((bin) => bin.n));
  const axis = (name: string, nameGap: number) => ({
    type: 'value',
    min: 0,
    max: 1,
    name,
    nameLocation: 'middle',
    nameGap,
    nameTextStyle: axisText(theme),
    axisLabel: { ...axisText(theme), formatter: (value: number) => `${Math.round(value * 100)} %` },
    splitLine: { lineStyle: { color: theme.grid } },
  });
  return {
    id: about.id,
    title,
    description: `Reliability diagram of ${about.model} on ${about.task}: accuracy against confidence in ${filled.length} bins.`,
    widthPx: 460,
    heightPx: 440,
    noData: null,
    marks: { bins: filled.length, diagonal: 2 },
    option: {
      ...baseOption(theme),
      title: titleOption(title, `${shortName(about.model, 40)}\nBelow the line: surer than it is right. Area: answers in the bin.`, theme),
      grid: { left: 58, right: 22, top: 94, bottom: 52 },
      xAxis: axis('confidence of the choice', 30),
      yAxis: axis('share that is right', 42),
      series: [
        {
          type: 'line',
          name: 'diagonal',
          data: [
            [0, 0],
            [1, 1],
          ],
          symbol: 'none',
          silent: true,
          lineStyle: { color: theme.muted, type: [5, 4], width: 1.2 },
        },
        {
          type: 'scatter',
          name: 'bins',
          itemStyle: { color: theme.accent, opacity: 0.85 },
          data: filled.map((bin) => ({
            value: [bin.confidence, bin.accuracy],
            symbolSize: Math.max(7, 30 * Math.sqrt(bin.n / largest)),
            tooltip: { formatter: `confidence ${formatPercent(bin.confidence)}\nright ${formatPercent(bin.accuracy)}\nn ${bin.n}` },
          })),
        },
      ],
    },
  };
}
