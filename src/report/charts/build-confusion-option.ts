// Confusion heat map: rows are gold labels, columns what the model said, the last column answers that could not be read.
import type { MetricDetails } from '../../core/metric.ts';
import { axisText, baseOption, type Chart, emptyChart, shortName, titleOption } from './chart.ts';
import { type ChartTheme, chartFont, lightChartTheme } from './chart-theme.ts';
import { inkOnHeat } from './heat-ink.ts';

/** Larger matrices are left to the table. */
const maxLabels = 30;

export function buildConfusionOption(
  confusion: NonNullable<MetricDetails['confusion']>,
  about: { readonly id: string; readonly model: string; readonly task: string },
  theme: ChartTheme = lightChartTheme,
): Chart {
  const title = 'Confusion';
  const { labels, counts } = confusion;
  if (labels.length === 0) return emptyChart(about.id, title, 'No labels.', theme);
  if (labels.length > maxLabels)
    return emptyChart(about.id, title, `${labels.length} labels are too many for a picture; see the table.`, theme);
  const columns = [...labels.map((label) => shortName(label, 14)), 'unreadable'];
  const totals = counts.map((row) => row.reduce((sum, count) => sum + count, 0));
  const cellPx = labels.length > 12 ? 26 : labels.length > 6 ? 40 : 56;
  const cells = counts.flatMap((row, y) =>
    row.map((count, x) => {
      const share = totals[y] === 0 ? 0 : count / totals[y]!;
      return {
        value: [x, y, share],
        label: {
          show: true,
          formatter: String(count),
          color: inkOnHeat(share, theme),
          fontFamily: chartFont,
          fontSize: cellPx < 30 ? 9.5 : 12,
        },
        tooltip: { formatter: `gold ${labels[y]}\nread as ${columns[x]}\n${count} of ${totals[y]}` },
      };
    }),
  );
  const widthPx = Math.max(420, 150 + columns.length * cellPx * 1.35);
  return {
    id: about.id,
    title,
    description: `Confusion matrix of ${about.model} on ${about.task}, ${labels.length} labels, counts in ${cells.length} cells.`,
    widthPx,
    heightPx: 140 + labels.length * cellPx,
    noData: null,
    marks: { cells: cells.length },
    option: {
      ...baseOption(theme),
      title: titleOption(title, 'Rows: gold label. Columns: what the model said.', theme),
      grid: { left: 120, right: 24, top: 72, bottom: 62 },
      xAxis: {
        type: 'category',
        data: columns,
        axisLabel: { ...axisText(theme), interval: 0, rotate: labels.length > 4 ? 35 : 0 },
        axisTick: { show: false },
        axisLine: { show: false },
      },
      yAxis: {
        type: 'category',
        inverse: true,
        data: labels.map((label) => shortName(label, 14)),
        axisLabel: { ...axisText(theme), interval: 0 },
        axisTick: { show: false },
        axisLine: { show: false },
      },
      visualMap: { show: false, min: 0, max: 1, dimension: 2, inRange: { color: [...theme.heat] } },
      series: [{ type: 'heatmap', name: 'cells', data: cells, itemStyle: { borderColor: theme.surface, borderWidth: 2 } }],
    },
  };
}
