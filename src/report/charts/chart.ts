// One chart: an ECharts option with its size, what it says in words, and how many marks it must show.
import type { EChartsCoreOption } from 'echarts/core';
import { type ChartTheme, chartFont } from './chart-theme.ts';

export interface Chart {
  /** Stable name: id in the page, base name of the file. */
  readonly id: string;
  readonly title: string;
  /** What the drawing shows, for readers who do not see it. */
  readonly description: string;
  readonly widthPx: number;
  readonly heightPx: number;
  readonly option: EChartsCoreOption;
  /** Data marks drawn, by series name: bars, points, cells. Tests count them in the SVG. */
  readonly marks: Readonly<Record<string, number>>;
  /** Set where there is nothing to draw: why. */
  readonly noData: string | null;
}

export const chartWidthPx = 960;

export function titleOption(text: string, subtext: string, theme: ChartTheme): Record<string, unknown> {
  return {
    text,
    subtext,
    left: 12,
    top: 10,
    itemGap: 6,
    textStyle: { fontFamily: chartFont, fontSize: 17, fontWeight: 600, color: theme.ink },
    subtextStyle: { fontFamily: chartFont, fontSize: 12, color: theme.muted, lineHeight: 16 },
  };
}

export function baseOption(theme: ChartTheme): Record<string, unknown> {
  return {
    animation: false,
    backgroundColor: theme.surface,
    textStyle: { fontFamily: chartFont, color: theme.ink },
    tooltip: tooltipOption(theme),
  };
}

/** Drawn as text, never as HTML: names and answers come from outside. */
export function tooltipOption(theme: ChartTheme): Record<string, unknown> {
  return {
    trigger: 'item',
    renderMode: 'richText',
    confine: true,
    backgroundColor: theme.surface,
    borderColor: theme.muted,
    borderWidth: 1,
    padding: [8, 12],
    textStyle: { color: theme.ink, fontSize: 12, lineHeight: 18, fontFamily: chartFont },
  };
}

export function axisText(theme: ChartTheme): Record<string, unknown> {
  return { color: theme.muted, fontSize: 11, fontFamily: chartFont };
}

/** A chart that says why it is empty, in place of an empty frame. */
export function emptyChart(id: string, title: string, reason: string, theme: ChartTheme): Chart {
  const heightPx = 220;
  return {
    id,
    title,
    description: `${title}: no data. ${reason}`,
    widthPx: chartWidthPx,
    heightPx,
    marks: {},
    noData: reason,
    option: {
      ...baseOption(theme),
      title: titleOption(title, '', theme),
      graphic: {
        type: 'text',
        left: 'center',
        top: 'middle',
        silent: true,
        style: { text: `No data\n${reason}`, fill: theme.muted, fontSize: 14, fontFamily: chartFont, textAlign: 'center', lineHeight: 22 },
      },
    },
  };
}

/** Cuts a name in the middle, so that both family and quantisation stay readable. */
export function shortName(name: string, length = 26): string {
  const characters = [...name.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')];
  if (characters.length <= length) return characters.join('');
  const tail = Math.floor((length - 1) / 2);
  return `${characters.slice(0, length - 1 - tail).join('')}…${characters.slice(-tail).join('')}`;
}
