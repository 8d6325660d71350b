// Score against latency with the Pareto front; the area of a bubble is the peak memory.
import { formatBytes, formatDuration, formatFixed, formatPercent } from '../format-values.ts';
import type { Standing, Standings } from '../standings.ts';
import { timeUnitFor } from './build-latency-option.ts';
import { axisText, baseOption, type Chart, chartWidthPx, emptyChart, shortName, titleOption } from './chart.ts';
import { type ChartTheme, chartFont, lightChartTheme } from './chart-theme.ts';
import { placeLabels } from './place-labels.ts';
import { type Scale, scaleOf } from './scale.ts';
import { leaderLine, verticalWhiskers } from './whiskers.ts';

const title = 'Score against latency';
const frame = { left: 66, right: 28, top: 84, bottom: 56 };

type Placed = Standing & { readonly quality: NonNullable<Standing['quality']>; readonly latencyP50Ms: number };

function isPlaced(standing: Standing): standing is Placed {
  return standing.quality !== null && standing.latencyP50Ms !== null;
}

/** Diameter whose area is in proportion to memory; a middle size where memory is not known. */
function diameter(bytes: number | null, largest: number): number {
  return bytes === null || largest <= 0 ? 14 : Math.max(9, 40 * Math.sqrt(bytes / largest));
}

interface Plot {
  readonly x: Scale;
  readonly y: Scale;
  readonly perMs: number;
  readonly heightPx: number;
  readonly scoreText: (value: number) => string;
  readonly theme: ChartTheme;
}

function tooltipOf(standing: Placed, { scoreText }: Plot): string {
  const { quality, latencyP50Ms, peakRssBytes, onFront } = standing;
  const range = quality.low === null ? '' : ` [${scoreText(quality.low)}, ${scoreText(quality.high!)}]`;
  return `${standing.model.key}\nscore ${scoreText(quality.value)}${range}\np50 ${formatDuration(latencyP50Ms)}\npeak memory ${formatBytes(peakRssBytes)}${onFront ? '\non the Pareto front' : ''}`;
}

function pointsOf(placed: readonly Placed[], plot: Plot) {
  const { x, y, perMs, heightPx, theme } = plot;
  const largest = Math.max(0, ...placed.map(({ peakRssBytes }) => peakRssBytes ?? 0));
  const innerWidth = chartWidthPx - frame.left - frame.right;
  const innerHeight = heightPx - frame.top - frame.bottom;
  const labels = placeLabels(
    placed.map((standing) => ({
      x: frame.left + x.position(standing.latencyP50Ms * perMs) * innerWidth,
      y: heightPx - frame.bottom - y.position(standing.quality.value) * innerHeight,
      radius: diameter(standing.peakRssBytes, largest) / 2,
      widthPx: [...shortName(standing.model.key, 24)].length * 7.1 + 4,
      heightPx: 15,
      prefersLeft: standing.onFront,
    })),
    { left: frame.left + 2, right: chartWidthPx - 6, top: frame.top, bottom: heightPx - frame.bottom },
  );
  const points = placed.map((standing, index) => ({
    value: [x.value(standing.latencyP50Ms * perMs), standing.quality.value],
    symbolSize: diameter(standing.peakRssBytes, largest),
    itemStyle: { color: standing.onFront ? theme.accent : theme.behind, opacity: 0.85, borderColor: theme.surface, borderWidth: 1.5 },
    label: {
      show: true,
      position: 'inside',
      offset: [labels[index]!.dx, labels[index]!.dy],
      formatter: shortName(standing.model.key, 24).replace(/[{}|]/g, ' '),
      fontFamily: chartFont,
      fontSize: 11.5,
      fontWeight: standing.onFront ? 600 : 400,
      color: standing.onFront ? theme.ink : theme.muted,
      textBorderColor: theme.surface,
      textBorderWidth: 4,
    },
    tooltip: { formatter: tooltipOf(standing, plot) },
  }));
  const leaders = points.flatMap((point, index) => {
    const { dx, dy, isNear } = labels[index]!;
    return isNear ? [] : [[point.value[0]!, point.value[1]!, dx, dy - Math.sign(dy) * 8]];
  });
  return { points, leaders };
}

function scoreScale(placed: readonly Placed[], isShare: boolean): Scale {
  const values = placed.flatMap(({ quality }) => [quality.low ?? quality.value, quality.high ?? quality.value]);
  const low = Math.min(...values);
  const high = Math.max(...values);
  const pad = Math.max((high - low) * 0.12, isShare ? 0.03 : Math.abs(high) * 0.05 || 1);
  const scale = scaleOf({ low: low - pad, high: high + pad, kind: 'linear', ticks: 6 });
  return isShare
    ? { ...scale, ...scaleOf({ low: Math.max(0, scale.min), high: Math.min(1, scale.max), kind: 'linear', ticks: 6 }) }
    : scale;
}

function axes(standings: Standings, plot: Plot, unitName: string) {
  const { x, y, theme, scoreText } = plot;
  const isShare = standings.unit === 'fraction';
  const common = { type: 'value', nameLocation: 'middle', nameTextStyle: axisText(theme), axisTick: { show: false } };
  const [first] = standings.tasks;
  return {
    xAxis: {
      ...common,
      min: x.value(x.min),
      max: x.value(x.max),
      name: `median latency per answer, ${unitName}${x.kind === 'log' ? ' (log scale)' : ''}`,
      nameGap: 32,
      axisLabel: {
        ...axisText(theme),
        customValues: x.ticks.map(x.value),
        formatter: (at: number) => String(Number(x.invert(at).toPrecision(3))),
      },
      splitLine: { customValues: x.ticks.map(x.value), lineStyle: { color: theme.grid } },
      axisLine: { show: true, onZero: false, lineStyle: { color: theme.muted } },
    },
    yAxis: {
      ...common,
      min: y.min,
      max: y.max,
      interval: y.ticks[1]! - y.ticks[0]!,
      name:
        standings.tasks.length > 1
          ? `mean primary score over ${standings.tasks.length} tasks`
          : `${first?.task.key ?? ''} score${isShare ? '' : ` (${standings.unit})`}`,
      nameGap: 46,
      axisLabel: { ...axisText(theme), formatter: (value: number) => (isShare ? `${Math.round(value * 100)} %` : scoreText(value)) },
      axisLine: { show: false, onZero: false },
      splitLine: { lineStyle: { color: theme.grid } },
    },
  };
}

export function buildTradeoffOption(standings: Standings, theme: ChartTheme = lightChartTheme): Chart {
  const id = 'tradeoff';
  const placed = standings.models.filter(isPlaced);
  if (placed.length === 0) return emptyChart(id, title, 'No model has both a score and a latency.', theme);
  const isShare = standings.unit === 'fraction';
  const times = placed.map(({ latencyP50Ms }) => latencyP50Ms);
  const unit = timeUnitFor(Math.max(...times));
  const [low, high] = [Math.min(...times) * unit.perMs, Math.max(...times) * unit.perMs];
  const plot: Plot = {
    x:
      low > 0 && high / low > 8
        ? scaleOf({ low: low * 0.75, high: high * 1.3, kind: 'log', ticks: 8 })
        : scaleOf({ low: 0, high: high * 1.15, kind: 'linear', ticks: 6 }),
    y: scoreScale(placed, isShare),
    perMs: unit.perMs,
    heightPx: placed.length > 8 ? 640 : 500,
    scoreText: (value) => (isShare ? formatPercent(value) : formatFixed(value, 3)),
    theme,
  };
  const { points, leaders } = pointsOf(placed, plot);
  const whiskers = placed.flatMap(({ quality, latencyP50Ms }) =>
    quality.low === null ? [] : [[plot.x.value(latencyP50Ms * unit.perMs), quality.low, quality.high]],
  );
  const front = placed
    .filter(({ onFront }) => onFront)
    .toSorted((a, b) => a.latencyP50Ms - b.latencyP50Ms)
    .map((standing) => [plot.x.value(standing.latencyP50Ms * unit.perMs), standing.quality.value]);
  const frontSeries = {
    type: 'line',
    name: 'front',
    step: 'end',
    z: 2,
    symbol: 'circle',
    symbolSize: 3,
    lineStyle: { color: theme.accent, width: 1.4, type: [5, 4], opacity: 0.8 },
    itemStyle: { color: theme.accent },
    data: front,
    silent: true,
  };
  const intervals = {
    type: 'custom',
    name: 'intervals',
    silent: true,
    z: 1,
    encode: { x: 0, y: [1, 2] },
    renderItem: verticalWhiskers(theme.behind, 3),
    data: whiskers,
  };
  const leaderLines = {
    type: 'custom',
    name: 'leaders',
    silent: true,
    z: 2,
    encode: { x: 0, y: 1 },
    renderItem: leaderLine(theme.muted),
    data: leaders,
  };
  return {
    id,
    title,
    description: `Scatter of score against median latency, ${placed.length} models, ${front.length} on the Pareto front; bubble area is peak memory.`,
    widthPx: chartWidthPx,
    heightPx: plot.heightPx,
    noData: null,
    marks: {
      models: points.length,
      intervals: whiskers.length,
      ...(front.length > 1 ? { front: front.length } : {}),
      ...(leaders.length > 0 ? { leaders: leaders.length } : {}),
    },
    option: {
      ...baseOption(theme),
      title: titleOption(
        title,
        'Up and to the left is better. Blue: on the Pareto front (no model is both better and quicker). Bubble area: peak memory. Whiskers: 95 % interval.',
        theme,
      ),
      grid: frame,
      ...axes(standings, plot, unit.name),
      series: [intervals, leaderLines, ...(front.length > 1 ? [frontSeries] : []), { type: 'scatter', name: 'models', z: 3, data: points }],
    },
  };
}
