// Histogram of answer latencies of each model on one task, on a log scale because times are skewed.
import { formatDuration } from '../format-values.ts';
import { axisText, baseOption, type Chart, chartWidthPx, emptyChart, shortName, titleOption } from './chart.ts';
import { type ChartTheme, chartFont, lightChartTheme } from './chart-theme.ts';

export interface LatencySeries {
  readonly model: string;
  /** Latencies of fresh answers, ms. */
  readonly valuesMs: readonly number[];
}

const bins = 28;
const maxRows = 20;

/** Counts in equal bins of log10, shared by all series. */
export function logBins(series: readonly LatencySeries[]): {
  readonly edges: readonly number[];
  readonly counts: readonly (readonly number[])[];
} {
  const all = series.flatMap(({ valuesMs }) => valuesMs.filter((value) => value > 0));
  const low = Math.log10(Math.min(...bounds(all)));
  const high = Math.log10(Math.max(...bounds(all)));
  const span = high - low || 0.1;
  const edges = Array.from({ length: bins + 1 }, (_, index) => 10 ** (low + (span * index) / bins));
  const counts = series.map(({ valuesMs }) => {
    const own = new Array<number>(bins).fill(0);
    for (const value of valuesMs)
      if (value > 0) own[Math.min(bins - 1, Math.max(0, Math.floor(((Math.log10(value) - low) / span) * bins)))]!++;
    return own;
  });
  return { edges, counts };
}

function bounds(values: readonly number[]): [number, number] {
  let low = Number.POSITIVE_INFINITY;
  let high = 0;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** One strip of shaded bins per model: twenty models stay readable where twenty overlaid histograms do not. */
export function buildHistogramOption(
  all: readonly LatencySeries[],
  about: { readonly id: string; readonly task: string },
  theme: ChartTheme = lightChartTheme,
): Chart {
  const title = 'Distribution of latency';
  const series = all.filter(({ valuesMs }) => valuesMs.some((value) => value > 0)).slice(0, maxRows);
  if (series.length === 0) return emptyChart(about.id, title, 'No answer was timed.', theme);
  const { edges, counts } = logBins(series);
  const rowPx = series.length > 8 ? 34 : 58;
  const top = 70;
  const heightPx = top + series.length * rowPx + 52;
  const axes = series.map((_, index) => index);
  const peak = counts.map((row) => Math.max(...row));
  return {
    id: about.id,
    title,
    description: `Histograms of latency on ${about.task}, ${series.length} models, ${bins} bins on a log scale.`,
    widthPx: chartWidthPx,
    heightPx,
    noData: null,
    marks: Object.fromEntries(series.map(({ model }, index) => [model, counts[index]!.filter((count) => count > 0).length])),
    option: {
      ...baseOption(theme),
      title: titleOption(title, 'Share of answers in each of 28 equal steps of a log scale; each row has its own height.', theme),
      grid: axes.map((index) => ({ left: 196, right: 90, top: top + index * rowPx + 5, height: rowPx - 8 })),
      xAxis: axes.map((index) => ({
        type: 'category',
        gridIndex: index,
        data: Array.from({ length: bins }, (_, bin) => formatDuration(Math.sqrt(edges[bin]! * edges[bin + 1]!))),
        axisLabel: { show: index === series.length - 1, ...axisText(theme), interval: 3, margin: 8 },
        axisTick: { show: false },
        axisLine: { lineStyle: { color: theme.muted } },
      })),
      yAxis: axes.map((index) => ({
        type: 'value',
        gridIndex: index,
        min: 0,
        max: peak[index],
        name: shortName(series[index]!.model, 24),
        nameLocation: 'middle',
        nameRotate: 0,
        nameGap: 10,
        nameTextStyle: { color: theme.ink, fontFamily: chartFont, fontSize: 12, align: 'right' },
        axisLabel: { show: false },
        splitLine: { show: false },
        axisLine: { show: false },
      })),
      series: series.map(({ model, valuesMs }, index) => ({
        type: 'bar',
        name: model,
        xAxisIndex: index,
        yAxisIndex: index,
        barCategoryGap: '12%',
        itemStyle: { color: theme.accent },
        data: counts[index]!.map((count, bin) =>
          count === 0
            ? '-'
            : {
                value: count,
                tooltip: {
                  formatter: `${model}\n${formatDuration(edges[bin]!)} to ${formatDuration(edges[bin + 1]!)}\n${count} of ${valuesMs.length} answers`,
                },
              },
        ),
      })),
    },
  };
}
