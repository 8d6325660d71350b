// Speed of a run: latency and rates per result, load sweep, engine speed, and resource timelines where the record has them.
import { type ReactNode, useMemo } from 'react';
import { buildCurveOption } from '../../../report/charts/build-curve-option.ts';
import type { Chart } from '../../../report/charts/chart.ts';
import type { ChartTheme } from '../../../report/charts/chart-theme.ts';
import { timelineCharts } from '../../../report/charts/timeline-charts.ts';
import { formatBytes, formatDuration, formatFixed } from '../../../report/format-values.ts';
import { detailTable, engineTable, perfRemarks, servingTable } from '../../../report/perf/perf-tables.ts';
import { type PerformanceView, performanceViewOf } from '../../../report/perf/perf-view.ts';
import type { RunDetail } from '../../../report/viewer/viewer-contract.ts';
import { ChartView } from '../parts/chart-view.tsx';
import { Empty } from '../parts/feedback.tsx';
import { TableFrame } from '../parts/table-frame.tsx';
import { Outside } from '../parts/text.tsx';
import { Remarks, TextTable } from '../parts/text-table.tsx';
import { useChartTheme } from '../parts/use-theme.ts';

function SpeedTable({ detail }: { readonly detail: RunDetail }): ReactNode {
  const results = detail.record?.results ?? [];
  if (results.length === 0) return null;
  return (
    <TableFrame label="Speed by model and task">
      <table className="rows">
        <thead>
          <tr>
            <th scope="col">Task</th>
            <th scope="col">Model</th>
            {['p50', 'p95', 'p99', 'First token p50', 'Prompt tokens/s', 'Answer tokens/s', 'Samples/s', 'Peak memory', 'Load'].map(
              (title) => (
                <th key={title} scope="col" className="number">
                  {title}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {results.map((result) => {
            const run = detail.record?.modelRuns.find((one) => one.model === result.model);
            const { latencyMs, ttftMs } = result.speed;
            const weak = new Set(latencyMs.weak);
            const quantile = (name: 'p50' | 'p95' | 'p99'): ReactNode => (
              <td
                className={`number${weak.has(name) ? ' muted' : ''}`}
                title={weak.has(name) ? `rests on ${latencyMs.n} samples: too few for ${name}` : undefined}
              >
                {formatDuration(latencyMs[name])}
              </td>
            );
            return (
              <tr key={`${result.model} ${result.task}`}>
                <th scope="row">
                  <Outside text={result.task} />
                </th>
                <td>
                  <Outside text={result.model} />
                </td>
                {quantile('p50')}
                {quantile('p95')}
                {quantile('p99')}
                <td className="number">{formatDuration(ttftMs.p50)}</td>
                <td className="number">{formatFixed(result.speed.prefillTokensPerSecond, 1)}</td>
                <td className="number">{formatFixed(result.speed.decodeTokensPerSecond, 1)}</td>
                <td className="number">{formatFixed(result.speed.samplesPerSecond, 2)}</td>
                <td className="number">{formatBytes(run?.resources?.peakRssBytes ?? result.resources?.peakRssBytes)}</td>
                <td className="number">{formatDuration(run?.loadMs)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </TableFrame>
  );
}

const sweepMetrics = [
  ['ttft', 'Time to first token'],
  ['tpot', 'Time per token'],
  ['e2e', 'Time to the whole answer'],
] as const;

/** Latency against throughput, one curve per model, one point per load. */
function sweepCharts(performance: PerformanceView, theme: ChartTheme): readonly Chart[] {
  return sweepMetrics
    .map(([metric, title]) =>
      buildCurveOption(
        {
          id: `sweep ${metric}`,
          title,
          subtitle: 'Median at each load; whiskers: 95 % interval.',
          xName: 'output tokens per second, all users together',
          yName: 'ms',
          curves: performance.subjects.map((subject) => ({
            name: subject.model,
            points: subject.points.flatMap((point) => {
              const throughput = point.rates['outputRate']?.value ?? null;
              const value = point.metrics[metric];
              if (throughput === null || value?.p50 == null) return [];
              const { p50, p50Interval } = value;
              return [{ x: throughput, y: p50, low: p50Interval?.low, high: p50Interval?.high, label: point.label }];
            }),
          })),
        },
        theme,
      ),
    )
    .filter((chart) => chart.noData === null);
}

function Load({ performance }: { readonly performance: PerformanceView }): ReactNode {
  return (
    <>
      <Remarks remarks={perfRemarks(performance)} />
      {[servingTable(performance), detailTable(performance), engineTable(performance)].map((table) => (
        <TextTable key={table.title} table={table} />
      ))}
    </>
  );
}

export function RunSpeed({ detail }: { readonly detail: RunDetail }): ReactNode {
  const theme = useChartTheme();
  const { timelines } = detail;
  const performance = performanceViewOf(detail.performance);
  const charts = useMemo(
    () => [...(performance === null ? [] : sweepCharts(performance, theme)), ...timelineCharts(timelines, theme)],
    [performance, timelines, theme],
  );
  const isEmpty = (detail.record?.results.length ?? 0) === 0 && performance === null && charts.length === 0;
  if (isEmpty) return <Empty title="Nothing was measured yet." />;
  return (
    <>
      <SpeedTable detail={detail} />
      {performance === null ? null : <Load performance={performance} />}
      <div className="charts">
        {charts.map((chart) => (
          <ChartView key={chart.id} chart={chart} />
        ))}
      </div>
    </>
  );
}
