// Memory and processor use of every model, side by side.
import { dash, formatBytes } from '../format-values.ts';
import type { Standing, Standings } from '../standings.ts';
import { baseOption, type Chart, chartWidthPx, emptyChart, titleOption } from './chart.ts';
import { type ChartTheme, lightChartTheme } from './chart-theme.ts';
import { layoutPanels, type Panel } from './panel-grid.ts';

const title = 'Resource use';

interface Resource {
  readonly title: string;
  readonly axisName: string;
  readonly measure: (standing: Standing) => number | null;
  readonly textOf: (value: number) => string;
  /** Shown value per stored unit. */
  readonly scale: number;
}

function resources(standings: Standings): Resource[] {
  const largest = Math.max(0, ...standings.models.map(({ peakRssBytes }) => peakRssBytes ?? 0));
  const isLarge = largest >= 2 * 2 ** 30;
  const all: Resource[] = [
    {
      title: 'Peak memory of the model process',
      axisName: isLarge ? 'GiB' : 'MiB',
      measure: ({ peakRssBytes }) => peakRssBytes,
      textOf: (value) => formatBytes(value),
      scale: isLarge ? 2 ** -30 : 2 ** -20,
    },
    {
      title: 'Mean processor use',
      axisName: '% of one core',
      measure: ({ meanCpuPercent }) => meanCpuPercent,
      textOf: (value) => `${value.toFixed(0)} %`,
      scale: 1,
    },
    {
      title: 'Peak GPU memory',
      axisName: 'GiB',
      measure: ({ peakGpuMemoryBytes }) => peakGpuMemoryBytes,
      textOf: (value) => formatBytes(value),
      scale: 2 ** -30,
    },
  ];
  return all.filter(({ measure }) => standings.models.some((standing) => measure(standing) !== null));
}

function panelOf(resource: Resource, standings: Standings): Panel {
  const values = standings.models.map(resource.measure);
  const least = Math.min(...values.filter((value) => value !== null));
  return {
    title: resource.title,
    max: null,
    axisFormat: (value) => value.toLocaleString('en', { maximumFractionDigits: 1 }),
    axisName: resource.axisName,
    values: values.map((value) => (value === null ? dash : resource.textOf(value))),
    bold: values.map((value) => value === least),
  };
}

export function buildResourceOption(standings: Standings, theme: ChartTheme = lightChartTheme): Chart {
  const id = 'resource_usage';
  const shown = resources(standings);
  if (shown.length === 0) return emptyChart(id, title, 'The run was not profiled.', theme);
  const names = standings.models.map(({ model }) => model.key);
  const layout = layoutPanels(
    shown.map((resource) => panelOf(resource, standings)),
    names,
    66,
    theme,
  );
  const series = shown.map((resource, index) => ({
    type: 'bar',
    name: resource.title,
    xAxisIndex: index,
    yAxisIndex: index * 2,
    barWidth: layout.barWidth,
    itemStyle: { color: theme.accent, borderRadius: [0, 2, 2, 0] },
    data: standings.models.flatMap((standing, row) => {
      const value = resource.measure(standing);
      return value === null
        ? []
        : [
            {
              value: [value * resource.scale, row],
              tooltip: { formatter: `${standing.model.key}\n${resource.title}: ${resource.textOf(value)}` },
            },
          ];
    }),
  }));
  return {
    id,
    title,
    description: `Bars of peak memory and mean processor use, ${names.length} models.`,
    widthPx: chartWidthPx,
    heightPx: layout.heightPx,
    noData: null,
    marks: Object.fromEntries(series.map((one) => [one.name, one.data.length])),
    option: {
      ...baseOption(theme),
      title: [titleOption(title, "Of the model's own processes while it answered. Models in order of score.", theme), ...layout.titles],
      grid: layout.grid,
      xAxis: layout.xAxis,
      yAxis: layout.yAxis,
      series,
    },
  };
}
