// Speed of a run: latency and rates per result, load sweep, engine speed, and resource timelines where the record has them.
import { type ReactNode, useMemo } from 'react';
import { buildCurveOption } from '../../../report/charts/build-curve-option.ts';
import type { Chart } from '../../../report/charts/chart.ts';
import type { ChartTheme } from '../../../report/charts/chart-theme.ts';
import { dash, formatBytes, formatDuration, formatFixed } from '../../../report/format-values.ts';
import type { PerformanceView, PointView } from '../../../report/perf/perf-view.ts';
import type { RunDetail, Timeline } from '../../../report/viewer/viewer-contract.ts';
import { ValidityBadge } from '../parts/badges.tsx';
import { ChartView } from '../parts/chart-view.tsx';
import { Empty } from '../parts/feedback.tsx';
import { TableFrame } from '../parts/table-frame.tsx';
import { Outside } from '../parts/text.tsx';
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

function isPerformance(value: unknown): value is PerformanceView {
  return typeof value === 'object' && value !== null && Array.isArray((value as { subjects?: unknown }).subjects);
}

/** Output tokens per second where the sweep has them, else requests per second. */
function throughputOf(point: PointView): { readonly name: string; readonly value: number } | null {
  for (const [key, rate] of Object.entries(point.rates))
    if (/output.*tokens?|tokens?.*second/i.test(key) && rate.value !== null) return { name: `${key} (${rate.unit})`, value: rate.value };
  for (const [key, rate] of Object.entries(point.rates))
    if (rate.value !== null) return { name: `${key} (${rate.unit})`, value: rate.value };
  return null;
}

function sweepCharts(performance: PerformanceView, theme: ChartTheme): readonly Chart[] {
  const wanted = ['totalMs', 'e2eMs', 'latencyMs', 'ttftMs', 'tpotMs'];
  const names = new Set(performance.subjects.flatMap((subject) => subject.points.flatMap((point) => Object.keys(point.metrics))));
  const metrics = [...names].filter((name) => wanted.includes(name) || /ms$/i.test(name)).slice(0, 4);
  return metrics.flatMap((metric) => {
    let xName = 'throughput';
    const curves = performance.subjects.map((subject) => ({
      name: subject.model,
      points: subject.points.flatMap((point) => {
        const throughput = throughputOf(point);
        const value = point.metrics[metric];
        if (throughput === null || value?.p50 == null) return [];
        xName = throughput.name;
        return [{ x: throughput.value, y: value.p50, low: value.p50Interval?.low, high: value.p50Interval?.high, label: point.label }];
      }),
    }));
    if (curves.every((curve) => curve.points.length === 0)) return [];
    const input = {
      id: `sweep ${metric}`,
      title: `${metric}, median`,
      subtitle: 'Load points; whiskers: 95 % interval.',
      xName,
      yName: `${metric} (ms)`,
      curves,
    };
    return [buildCurveOption(input, theme)];
  });
}

function PointsTable({ performance }: { readonly performance: PerformanceView }): ReactNode {
  return (
    <>
      {performance.subjects.map((subject) => {
        const metrics = [...new Set(subject.points.flatMap((point) => Object.keys(point.metrics)))];
        const rates = [...new Set(subject.points.flatMap((point) => Object.keys(point.rates)))];
        return (
          <section key={`${subject.model} ${subject.backend}`}>
            <h3>
              <Outside text={subject.model} /> <ValidityBadge verdict={subject.validity.verdict} />
            </h3>
            <TableFrame label={`Load points of ${subject.model}`}>
              <table className="rows compact">
                <thead>
                  <tr>
                    <th scope="col">Load</th>
                    <th scope="col" className="number">
                      Requests
                    </th>
                    {metrics.map((name) => (
                      <th key={name} scope="col" className="number">
                        {name} p50 / p95
                      </th>
                    ))}
                    {rates.map((name) => (
                      <th key={name} scope="col" className="number">
                        {name}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {subject.points.map((point) => (
                    <tr key={point.label}>
                      <th scope="row">
                        <Outside text={point.label} />
                      </th>
                      <td className="number">{point.requests.steady}</td>
                      {metrics.map((name) => {
                        const value = point.metrics[name];
                        return (
                          <td key={name} className="number">
                            {value === undefined ? dash : `${formatFixed(value.p50, 2)} / ${formatFixed(value.p95, 2)} ${value.unit}`}
                          </td>
                        );
                      })}
                      {rates.map((name) => {
                        const rate = point.rates[name];
                        return (
                          <td key={name} className="number">
                            {rate === undefined ? dash : `${formatFixed(rate.value, 2)} ${rate.unit}`}
                          </td>
                        );
                      })}
                    </tr>
                  ))}
                  {subject.engine.map((row) => (
                    <tr key={`${row.test} ${row.depth} ${row.threads} ${row.batch}`}>
                      <th scope="row">
                        {row.test}
                        {row.depth > 0 ? ` at depth ${row.depth}` : ''}
                      </th>
                      <td className="number" colSpan={1 + metrics.length + rates.length}>
                        {formatFixed(row.tokensPerSecond.p50, 2)} tokens/s
                      </td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </TableFrame>
          </section>
        );
      })}
    </>
  );
}

function timelineCharts(timelines: readonly Timeline[], theme: ChartTheme): readonly Chart[] {
  const chart = (id: string, title: string, yName: string, pick: (point: Timeline['points'][number]) => number | null): Chart => {
    const curves = timelines.slice(0, 8).map((timeline) => ({
      name: timeline.label,
      points: timeline.points.flatMap((point) => {
        const y = pick(point);
        return y === null ? [] : [{ x: point.atMs / 1000, y }];
      }),
    }));
    return buildCurveOption({ id, title, subtitle: "The model's own processes.", xName: 'seconds', yName, curves }, theme);
  };
  return [
    chart('memory timeline', 'Memory', 'MiB', (point) => (point.rssBytes === null ? null : point.rssBytes / 1024 ** 2)),
    chart('cpu timeline', 'CPU', '% of one core', (point) => point.cpuPercent),
    chart('gpu timeline', 'GPU memory', 'MiB', (point) => (point.gpuMemoryBytes === null ? null : point.gpuMemoryBytes / 1024 ** 2)),
  ].filter((one) => one.noData === null);
}

export function RunSpeed({ detail }: { readonly detail: RunDetail }): ReactNode {
  const theme = useChartTheme();
  const { performance, timelines } = detail;
  const charts = useMemo(
    () => [...(isPerformance(performance) ? sweepCharts(performance, theme) : []), ...timelineCharts(timelines, theme)],
    [performance, timelines, theme],
  );
  const isEmpty = (detail.record?.results.length ?? 0) === 0 && !isPerformance(performance) && charts.length === 0;
  if (isEmpty) return <Empty title="Nothing was measured yet." />;
  return (
    <>
      <SpeedTable detail={detail} />
      {isPerformance(performance) ? (
        <section>
          <h2>Load</h2>
          <PointsTable performance={performance} />
        </section>
      ) : null}
      <div className="charts">
        {charts.map((chart) => (
          <ChartView key={chart.id} chart={chart} />
        ))}
      </div>
    </>
  );
}
