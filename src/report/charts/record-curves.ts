// Curves that some records hold beside their scores: load sweeps, quantisation sweeps, and the history of a model over several runs.
import type { RunRecord } from '../../core/record.ts';
import { performanceViewOf } from '../perf/perf-view.ts';
import type { ReportView } from '../view-model.ts';
import { buildCurveOption, type Curve } from './build-curve-option.ts';
import type { Chart } from './chart.ts';
import type { ChartTheme } from './chart-theme.ts';
import { quantCharts } from './quant-charts.ts';

function loadSweep(record: RunRecord): Curve[] {
  return (performanceViewOf(record.performance)?.subjects ?? []).flatMap(({ model, points }) => {
    const measured = points.flatMap(({ label, metrics, rates }) => {
      const x = rates['outputRate']?.value ?? null;
      const ttft = metrics['ttft'];
      const y = ttft?.p95 ?? null;
      return x === null || y === null ? [] : [{ x, y, low: ttft?.p95Interval?.low, high: ttft?.p95Interval?.high, label }];
    });
    return measured.length < 2 ? [] : [{ name: model, points: measured }];
  });
}

/** One curve per model reference and task that at least two runs measured on the same items. */
function history(view: ReportView): Curve[] {
  const entries = view.tasks.flatMap(({ results }) =>
    results.flatMap(({ record, model, task, entry }) =>
      entry.primary?.value == null || entry.primary.unit !== 'fraction' ? [] : [{ record, model, task, primary: entry.primary }],
    ),
  );
  return [...Map.groupBy(entries, ({ model, task }) => `${model.reference} on ${task.key}, ${task.manifest}`).values()].flatMap((runs) => {
    if (new Set(runs.map(({ record }) => record.id)).size < 2) return [];
    const points = runs
      .map(({ record, primary }) => ({
        x: Date.parse(record.created),
        y: primary.value!,
        low: primary.interval?.low,
        high: primary.interval?.high,
      }))
      .sort((a, b) => a.x - b.x);
    return [{ name: `${runs[0]!.model.reference} on ${runs[0]!.task.key}`, points }];
  });
}

/** Only charts that have something to show. */
export function recordCurves(view: ReportView, theme?: ChartTheme): readonly Chart[] {
  const loads = view.records.flatMap(loadSweep);
  const runs = history(view);
  const charts = [
    loads.length === 0
      ? []
      : buildCurveOption(
          {
            id: 'load_sweep',
            title: 'Throughput against latency',
            subtitle: 'Each point is one load; down and to the right is better. Whiskers: 95 % interval.',
            xName: 'output tokens per second',
            yName: 'time to the first token, p95, ms',
            curves: loads,
          },
          theme,
        ),
    quantCharts(
      view.records.map((record) => record.quantisation),
      theme,
    ),
    runs.length === 0
      ? []
      : buildCurveOption(
          {
            id: 'history',
            title: 'Score over time',
            subtitle: 'Runs of the same model on the same items. Whiskers: 95 % interval.',
            xName: 'run',
            yName: 'primary score',
            xKind: 'time',
            yFormat: (value) => `${(value * 100).toFixed(1)} %`,
            curves: runs,
          },
          theme,
        ),
  ];
  return charts.flat();
}
