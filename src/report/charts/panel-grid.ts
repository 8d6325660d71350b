// Small multiples: the same rows (models) in several panels side by side, names once at the left, values at the right of each panel.
import { axisText, chartWidthPx, shortName } from './chart.ts';
import { type ChartTheme, chartFont } from './chart-theme.ts';

export interface Panel {
  readonly title: string;
  readonly max: number | null;
  readonly min?: number | undefined;
  readonly axisFormat: (value: number) => string;
  readonly axisName: string;
  /** Text at the right of each row, '' for none. */
  readonly values: readonly string[];
  readonly bold: readonly boolean[];
}

export interface PanelLayout {
  readonly heightPx: number;
  readonly grid: readonly Record<string, unknown>[];
  readonly xAxis: readonly Record<string, unknown>[];
  readonly yAxis: readonly Record<string, unknown>[];
  readonly titles: readonly Record<string, unknown>[];
  readonly barWidth: number;
}

const namesPx = 196;
const valuesPx = 62;

/** At most three panels a row, so that bars keep a length that can be read. */
export function panelColumns(panels: number): number {
  return panels <= 3 ? panels : panels === 4 ? 2 : 3;
}

export function layoutPanels(panels: readonly Panel[], names: readonly string[], topPx: number, theme: ChartTheme): PanelLayout {
  const columns = panelColumns(panels.length);
  const rowPx = names.length > 12 ? 19 : names.length > 5 ? 23 : 30;
  const bodyPx = Math.max(34, names.length * rowPx);
  const rowGapPx = 82;
  const fullPx = (chartWidthPx - namesPx - 14) / columns;
  const frames = panels.map((_, index) => ({
    left: namesPx + (index % columns) * fullPx,
    top: topPx + 26 + Math.floor(index / columns) * (bodyPx + rowGapPx),
    isFirst: index % columns === 0,
  }));
  return {
    heightPx: topPx + 26 + Math.ceil(panels.length / columns) * (bodyPx + rowGapPx) - 26,
    barWidth: Math.round(rowPx * 0.56),
    grid: frames.map(({ left, top }) => ({ left, top, width: fullPx - valuesPx - 18, height: bodyPx, containLabel: false })),
    titles: panels.map((panel, index) => ({
      text: shortName(panel.title, columns === 3 ? 32 : 48),
      left: frames[index]!.left - 2,
      top: frames[index]!.top - 25,
      padding: 0,
      textStyle: { fontFamily: chartFont, fontSize: 12.5, fontWeight: 600, color: theme.ink },
    })),
    xAxis: panels.map((panel, index) => ({
      type: 'value',
      gridIndex: index,
      min: panel.min ?? 0,
      ...(panel.max === null ? {} : { max: panel.max }),
      ...(panel.max === 1 && (panel.min ?? 0) === 0 ? { interval: columns === 3 ? 0.5 : 0.25 } : { splitNumber: columns === 3 ? 2 : 4 }),
      name: panel.axisName,
      nameLocation: 'middle',
      nameGap: 22,
      nameTextStyle: axisText(theme),
      axisLabel: { ...axisText(theme), formatter: panel.axisFormat, hideOverlap: true },
      splitLine: { lineStyle: { color: theme.grid } },
      axisLine: { show: false },
      axisTick: { show: false },
    })),
    yAxis: panels.flatMap((panel, index) => [
      {
        type: 'category',
        gridIndex: index,
        inverse: true,
        position: 'left',
        data: names.map((name) => shortName(name, 24)),
        axisLabel: frames[index]!.isFirst
          ? { color: theme.ink, fontSize: 12, fontFamily: chartFont, interval: 0, margin: 10 }
          : { show: false },
        axisLine: { lineStyle: { color: theme.muted } },
        axisTick: { show: false },
      },
      {
        type: 'category',
        gridIndex: index,
        inverse: true,
        position: 'right',
        data: panel.values.map((value, row) => ({
          value: value === '' ? ' ' : value,
          textStyle: { fontWeight: panel.bold[row] === true ? 700 : 400, color: panel.bold[row] === true ? theme.ink : theme.muted },
        })),
        axisLabel: { fontSize: 11.5, fontFamily: chartFont, interval: 0, margin: 8 },
        axisLine: { show: false },
        axisTick: { show: false },
      },
    ]),
  };
}
