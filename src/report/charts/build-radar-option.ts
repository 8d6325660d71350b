// Radar of quality, speed, memory and size against the best model of each axis, so that outer is better everywhere.
import { formatBytes, formatDuration, formatFixed, formatPercent } from '../format-values.ts';
import type { Standing, Standings } from '../standings.ts';
import { baseOption, type Chart, chartWidthPx, emptyChart, shortName, titleOption } from './chart.ts';
import { type ChartTheme, chartFont, lightChartTheme } from './chart-theme.ts';

const title = 'Quality, speed, memory and size';
/** More outlines than this cannot be told apart. */
const maxOutlines = 6;
const rings = 4;
const symbols = ['circle', 'rect', 'triangle', 'diamond', 'pin', 'roundRect'];

interface Axis {
  readonly name: string;
  readonly measure: (standing: Standing) => number | null;
  readonly lowerIsBetter: boolean;
  readonly text: (value: number) => string;
}

function axesOf(standings: Standings): Axis[] {
  const isShare = standings.unit === 'fraction';
  const all: Axis[] = [
    {
      name: 'Score',
      measure: ({ quality }) => quality?.value ?? null,
      lowerIsBetter: !standings.higherIsBetter,
      text: (value) => (isShare ? formatPercent(value) : formatFixed(value, 3)),
    },
    { name: 'Latency', measure: ({ latencyP50Ms }) => latencyP50Ms, lowerIsBetter: true, text: formatDuration },
    {
      name: 'Output speed',
      measure: (one) => one.decodeTokensPerSecond,
      lowerIsBetter: false,
      text: (value) => `${formatFixed(value, 1)} tok/s`,
    },
    { name: 'Memory', measure: ({ peakRssBytes }) => peakRssBytes, lowerIsBetter: true, text: formatBytes },
    { name: 'File size', measure: ({ sizeBytes }) => sizeBytes, lowerIsBetter: true, text: formatBytes },
  ];
  return all.filter(({ measure }) => standings.models.some((standing) => (measure(standing) ?? 0) > 0));
}

function knownValues(axis: Axis, all: readonly Standing[]): number[] {
  return all.map(axis.measure).filter((value) => value !== null && value > 0) as number[];
}

/** Factor of one ring, so that the costliest model still lies inside the outermost of four rings: 2 (16 times), 3, 4, ... */
function ringFactor(axes: readonly Axis[], all: readonly Standing[]): number {
  const spans = axes.slice(1).map((axis) => {
    const values = knownValues(axis, all);
    return values.length === 0 ? 1 : Math.max(...values) / Math.min(...values);
  });
  return Math.max(2, Math.ceil(Math.max(1, ...spans) ** 0.25));
}

/** 1 for the best. The score falls in proportion; a cost falls by a quarter with each factor `ring`. */
function place(axis: Axis, standing: Standing, all: readonly Standing[], ring: number): number | null {
  const value = axis.measure(standing);
  const known = knownValues(axis, all);
  if (value === null || value < 0 || known.length === 0) return null;
  const ratio = axis.lowerIsBetter ? Math.min(...known) / Math.max(value, Number.MIN_VALUE) : value / Math.max(...known);
  if (axis.name === 'Score') return Math.min(1, ratio);
  return ratio <= 0 ? 0 : Math.max(0, Math.min(1, 1 + Math.log(ratio) / Math.log(ring) / rings));
}

/** The best, and others at even steps along the Pareto front: the ones somebody would take. */
export function outlinedModels(standings: Standings): Standing[] {
  const byFront = standings.models.toSorted((a, b) => Number(b.onFront) - Number(a.onFront));
  const front = standings.models.filter(({ onFront }) => onFront);
  if (front.length <= maxOutlines) {
    const chosen = new Set(byFront.slice(0, maxOutlines));
    return standings.models.filter((standing) => chosen.has(standing));
  }
  return Array.from({ length: maxOutlines }, (_, index) => front[Math.round((index * (front.length - 1)) / (maxOutlines - 1))]!);
}

/** Line, symbol and fill of one of `count` outlines. */
export function outlineStyle(index: number, count: number, theme: ChartTheme): Record<string, unknown> {
  const colour = theme.series[index % theme.series.length]!;
  return {
    symbol: symbols[index % symbols.length],
    symbolSize: 6,
    lineStyle: { color: colour, width: 2, type: index % 2 === 0 ? 'solid' : [6, 3] },
    itemStyle: { color: colour },
    areaStyle: { color: colour, opacity: count <= 3 ? 0.1 : 0.04 },
  };
}

/** Axes from 0 in the middle to 1, and the names of the outlines beside them. */
export function radarFrame(axes: readonly string[], names: readonly string[], theme: ChartTheme): Record<string, unknown> {
  return {
    legend: {
      orient: 'vertical',
      left: 650,
      top: 'middle',
      itemGap: 14,
      data: names,
      formatter: (name: string) => shortName(name, 32).replace(/[{}|]/g, ' '),
      textStyle: { color: theme.ink, fontFamily: chartFont, fontSize: 12.5 },
    },
    radar: {
      indicator: axes.map((name) => ({ name: shortName(name, 20), min: 0, max: 1 })),
      center: [350, 316],
      radius: 196,
      splitNumber: rings,
      axisName: { color: theme.ink, fontFamily: chartFont, fontSize: 13 },
      axisLine: { lineStyle: { color: theme.grid } },
      splitLine: { lineStyle: { color: theme.grid } },
      splitArea: { show: false },
      axisLabel: { show: false },
    },
  };
}

export function buildRadarOption(standings: Standings, theme: ChartTheme = lightChartTheme): Chart {
  const id = 'radar_chart';
  const shown = outlinedModels(standings);
  // A model without a value would be drawn in the middle, as the worst: such an axis is named instead.
  const known = axesOf(standings);
  const axes = known.filter(({ measure }) => shown.every((standing) => measure(standing) !== null));
  if (axes.length < 3)
    return emptyChart(id, title, 'Fewer than three of score, latency, speed, memory and size are known of every model.', theme);
  const left = known.filter((axis) => !axes.includes(axis)).map(({ name }) => name.toLowerCase());
  const missing = left.length === 0 ? '' : ` Not measured for every model: ${left.join(', ')}.`;
  const ring = ringFactor(axes, standings.models);
  const data = shown.map((standing, index) => {
    return {
      name: standing.model.key,
      value: axes.map((axis) => place(axis, standing, standings.models, ring) ?? 0),
      ...outlineStyle(index, shown.length, theme),
      tooltip: {
        formatter: `${standing.model.key}\n${axes
          .map((axis) => {
            const value = axis.measure(standing);
            return `${axis.name}: ${value === null ? 'not measured' : axis.text(value)}`;
          })
          .join('\n')}`,
      },
    };
  });
  const cut =
    standings.models.length > shown.length ? ` ${shown.length} of ${standings.models.length} models: the Pareto front first.` : '';
  return {
    id,
    title,
    description: `Radar of ${axes.map((axis) => axis.name.toLowerCase()).join(', ')} for ${shown.length} models, against the best of each axis.`,
    widthPx: chartWidthPx,
    heightPx: 560,
    noData: null,
    marks: { models: data.length },
    option: {
      ...baseOption(theme),
      title: titleOption(
        title,
        `Outer is better. Score: share of the best. Other axes: each ring inward costs ${ring} times as much.${cut}${missing}`,
        theme,
      ),
      ...radarFrame(
        axes.map(({ name }) => name),
        shown.map(({ model }) => model.key),
        theme,
      ),
      series: [{ type: 'radar', name: 'models', data, emphasis: { focus: 'self' } }],
    },
  };
}
