// Memory, processor and GPU use of each model over the time of its run.
import type { Timeline, TimelinePoint } from '../report-input.ts';
import { buildCurveOption } from './build-curve-option.ts';
import type { Chart } from './chart.ts';
import type { ChartTheme } from './chart-theme.ts';

/** More curves than this cover each other. */
const mostCurves = 8;

const kinds: readonly {
  readonly id: string;
  readonly title: string;
  readonly yName: string;
  readonly figure: (point: TimelinePoint) => number | null;
  readonly perUnit: number;
}[] = [
  { id: 'memory_timeline', title: 'Memory over time', yName: 'MiB', figure: ({ rssBytes }) => rssBytes, perUnit: 2 ** 20 },
  { id: 'cpu_timeline', title: 'Processor use over time', yName: '% of one core', figure: ({ cpuPercent }) => cpuPercent, perUnit: 1 },
  { id: 'gpu_timeline', title: 'GPU memory over time', yName: 'MiB', figure: ({ gpuMemoryBytes }) => gpuMemoryBytes, perUnit: 2 ** 20 },
];

/** Only charts that have something to show. */
export function timelineCharts(timelines: readonly Timeline[], theme?: ChartTheme): readonly Chart[] {
  const shown = timelines.slice(0, mostCurves);
  const cut = timelines.length > shown.length ? ` ${shown.length} of ${timelines.length} series.` : '';
  const seconds = Math.max(0, ...shown.map(({ points }) => points.at(-1)?.atMs ?? 0)) / 1000;
  const [xName, perX] =
    seconds > 300 ? ['minutes since the model was first measured', 60_000] : ['seconds since the model was first measured', 1000];
  return kinds
    .map(({ id, title, yName, figure, perUnit }) =>
      buildCurveOption(
        {
          id,
          title,
          subtitle: `Of the model's own processes.${cut}`,
          xName: xName as string,
          yName,
          isDense: true,
          curves: shown.map(({ label, points }) => ({
            name: label,
            points: points.flatMap((point) => {
              const y = figure(point);
              return y === null ? [] : [{ x: point.atMs / (perX as number), y: y / perUnit }];
            }),
          })),
        },
        theme,
      ),
    )
    .filter(({ noData }) => noData === null);
}
