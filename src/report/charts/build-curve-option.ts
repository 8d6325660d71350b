// Curves with intervals: throughput against latency of a load sweep, quality against size of a quantisation sweep, a metric over runs.
import { axisText, baseOption, type Chart, chartWidthPx, emptyChart, shortName, titleOption, tooltipOption } from './chart.ts';
import { type ChartTheme, chartFont, lightChartTheme } from './chart-theme.ts';
import { verticalWhiskers } from './whiskers.ts';

export interface CurvePoint {
  readonly x: number;
  readonly y: number;
  readonly low?: number | null | undefined;
  readonly high?: number | null | undefined;
  /** Shown at the point: `8 users`, `Q4_K_M`. */
  readonly label?: string | undefined;
}

export interface Curve {
  readonly name: string;
  readonly points: readonly CurvePoint[];
}

export interface CurveChartInput {
  readonly id: string;
  readonly title: string;
  readonly subtitle: string;
  readonly xName: string;
  readonly yName: string;
  readonly xKind?: 'value' | 'log' | 'time' | undefined;
  readonly yFormat?: ((value: number) => string) | undefined;
  /** Fixed range of y; default: from the data, never of zero height. */
  readonly yRange?: { readonly min: number; readonly max: number } | undefined;
  readonly curves: readonly Curve[];
  /** Hundreds of points a curve: lines without symbols or labels, and a lower drawing. @default false */
  readonly isDense?: boolean | undefined;
}

const symbols = ['circle', 'rect', 'triangle', 'diamond', 'roundRect', 'pin'];

function rangeOf(input: CurveChartInput): { min: number; max: number } {
  if (input.yRange !== undefined) return input.yRange;
  const values = input.curves.flatMap(({ points }) => points.flatMap((point) => [point.low ?? point.y, point.high ?? point.y]));
  const low = Math.min(...values);
  const high = Math.max(...values);
  const pad = (high - low) * 0.1 || Math.abs(high) * 0.1 || 1;
  return { min: low >= 0 && low - pad < 0 ? 0 : low - pad, max: high + pad };
}

/** @returns a chart that says so where no curve has a point */
export function buildCurveOption(input: CurveChartInput, theme: ChartTheme = lightChartTheme): Chart {
  const curves = input.curves.filter(({ points }) => points.length > 0);
  if (curves.length === 0) return emptyChart(input.id, input.title, 'Nothing was measured.', theme);
  const colour = (index: number): string => theme.series[index % theme.series.length]!;
  const format = input.yFormat ?? ((value: number) => String(Number(value.toPrecision(4))));
  const series = curves.flatMap(({ name, points }, index) => [
    {
      type: 'line',
      name,
      z: 3,
      data:
        input.isDense === true
          ? points.map(({ x, y }) => [x, y])
          : points.map((point) => ({
              value: [point.x, point.y],
              label:
                point.label === undefined || curves.length > 3
                  ? { show: false }
                  : {
                      show: true,
                      position: [9, -15],
                      formatter: point.label,
                      color: theme.muted,
                      fontSize: 11,
                      fontFamily: chartFont,
                    },
              tooltip: {
                formatter: `${name}${point.label === undefined ? '' : `\n${point.label}`}\n${input.xName}: ${input.xKind === 'time' ? new Date(point.x).toISOString().slice(0, 16).replace('T', ' ') : Number(point.x.toPrecision(4))}\n${input.yName}: ${format(point.y)}`,
              },
            })),
      symbol: symbols[index % symbols.length],
      symbolSize: 7,
      showSymbol: input.isDense !== true,
      lineStyle: { color: colour(index), width: input.isDense === true ? 1.5 : 2, type: index < theme.series.length ? 'solid' : [6, 3] },
      itemStyle: { color: colour(index) },
      labelLayout: { hideOverlap: true },
    },
    {
      type: 'custom',
      name: `${name} interval`,
      silent: true,
      encode: { x: 0, y: [1, 2] },
      renderItem: verticalWhiskers(colour(index)),
      data: points.flatMap(({ x, low, high }) => (low == null || high == null ? [] : [[x, low, high]])),
    },
  ]);
  const { min, max } = rangeOf(input);
  return {
    id: input.id,
    title: input.title,
    description: `${input.title}: ${curves.length} curves of ${input.yName} against ${input.xName}.`,
    widthPx: chartWidthPx,
    heightPx: (input.isDense === true ? 320 : 440) + Math.max(0, curves.length - 6) * 6,
    noData: null,
    marks: Object.fromEntries(
      series.filter((one) => one.data.length > 0).map((one) => [one.name, input.isDense === true ? 1 : one.data.length]),
    ),
    option: {
      ...baseOption(theme),
      ...(input.isDense === true ? { tooltip: { ...tooltipOption(theme), trigger: 'axis', valueFormatter: format } } : {}),
      title: titleOption(input.title, input.subtitle, theme),
      legend:
        curves.length === 1
          ? { show: false }
          : {
              type: 'plain',
              orient: 'vertical',
              left: 722,
              top: 76,
              data: curves.map(({ name }) => name),
              formatter: (name: string) => shortName(name, 24).replace(/[{}|]/g, ' '),
              textStyle: { color: theme.ink, fontFamily: chartFont, fontSize: 11.5 },
            },
      grid: { left: 74, right: curves.length === 1 ? 40 : 252, top: 80, bottom: 56 },
      xAxis: {
        type: input.xKind ?? 'value',
        scale: true,
        ...(input.isDense === true ? { min: 0 } : { boundaryGap: ['4%', '4%'] }),
        name: input.xName,
        nameLocation: 'middle',
        nameGap: 32,
        nameTextStyle: axisText(theme),
        axisLabel: { ...axisText(theme), hideOverlap: true, ...(input.xKind === 'time' ? { formatter: '{yyyy}-{MM}-{dd}' } : {}) },
        splitLine: { lineStyle: { color: theme.grid } },
        axisLine: { lineStyle: { color: theme.muted } },
      },
      yAxis: {
        type: 'value',
        min,
        max,
        name: input.yName,
        nameLocation: 'middle',
        nameGap: 52,
        nameTextStyle: axisText(theme),
        axisLabel: { ...axisText(theme), formatter: format, showMinLabel: false, showMaxLabel: false },
        splitLine: { lineStyle: { color: theme.grid } },
      },
      series,
    },
  };
}
