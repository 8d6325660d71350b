import { beforeAll, describe, expect, test } from 'vitest';
import { hostileTexts } from '../../../test/fixtures/hostile-texts.ts';
import { scoredRun } from '../../../test/fixtures/scored-run.ts';
import type { ReportInput } from '../report-input.ts';
import { buildStandings } from '../standings.ts';
import { buildReportView } from '../view-model.ts';
import { buildConfusionOption } from './build-confusion-option.ts';
import { buildCurveOption } from './build-curve-option.ts';
import { buildHistogramOption, logBins } from './build-histogram-option.ts';
import { buildReliabilityOption } from './build-reliability-option.ts';
import type { Chart } from './chart.ts';
import { darkChartTheme, lightChartTheme, withThemeVariables } from './chart-theme.ts';
import { recordCurves } from './record-curves.ts';
import { renderChartSvg } from './render-chart-svg.ts';
import { overviewCharts } from './report-charts.ts';
import { timelineCharts } from './timeline-charts.ts';

/** Distinct data marks in the drawing: series number and item number of every drawn element. */
function drawnMarks(svg: string): number {
  const marks = [...svg.matchAll(/ecmeta_series_index="(\d+)" ecmeta_data_index="(\d+)" ecmeta_ssr_type="chart"/g)];
  return new Set(marks.map(([, series, item]) => `${series} ${item}`)).size;
}

const sum = (chart: Chart): number => Object.values(chart.marks).reduce((total, count) => total + count, 0);

function overview(input: ReportInput): Map<string, Chart> {
  const view = buildReportView(input.records);
  return new Map(overviewCharts(view, buildStandings(view, input.rows)).map((chart) => [chart.id, chart]));
}

describe.each([2, 5, 20])('%i models', (models) => {
  let input: ReportInput;
  let charts: Map<string, Chart>;
  beforeAll(async () => {
    input = await scoredRun({ models, samplesPerTask: 20 });
    charts = overview(input);
  });

  test('the drawings hold one mark for each value of the record', () => {
    const results = input.records[0]!.results;
    const measured = results.filter((entry) => entry.primary?.value != null).length;
    const intervals = results.filter((entry) => entry.primary?.interval != null).length;
    const timed = results.filter((entry) => entry.speed.latencyMs.p50 !== null).length;
    expect(measured).toBe(models * 4);
    expect(drawnMarks(renderChartSvg(charts.get('accuracy_comparison')!))).toBe(measured + intervals);
    expect(drawnMarks(renderChartSvg(charts.get('latency_comparison')!))).toBe(timed * 3);
    expect(drawnMarks(renderChartSvg(charts.get('resource_usage')!))).toBe(models * 2);
    expect(charts.get('tradeoff')!.marks).toMatchObject({ models, intervals: models });
    expect(drawnMarks(renderChartSvg(charts.get('tradeoff')!))).toBe(sum(charts.get('tradeoff')!));
    expect(drawnMarks(renderChartSvg(charts.get('radar_chart')!))).toBe(Math.min(models, 6));
    const shares = input.records[0]!.results.filter((entry) => entry.primary?.unit === 'fraction').length;
    expect(drawnMarks(renderChartSvg(charts.get('task_radar')!))).toBe(Math.min(models, 6));
    expect(drawnMarks(renderChartSvg(charts.get('task_heatmap')!))).toBe(shares);
  });

  test('every model is named', () => {
    for (const id of ['accuracy_comparison', 'latency_comparison', 'resource_usage', 'tradeoff']) {
      const svg = renderChartSvg(charts.get(id)!);
      for (const { key } of input.records[0]!.models) expect(svg, `${id} ${key}`).toContain(`>${key.slice(0, 9)}`);
    }
  });

  test('bars are as long as their values', () => {
    const svg = renderChartSvg(charts.get('accuracy_comparison')!);
    const bars = [
      ...svg.matchAll(/<path d="M([\d.]+) [\d.]+L([\d.]+) [^"]*" fill="[^"]+" ecmeta_series_index="0" ecmeta_data_index="\d+"/g),
    ];
    const lengths = bars.map(([, from, to]) => Number(to) + 2 - Number(from));
    const view = buildReportView(input.records);
    const values = buildStandings(view).models.map(
      ({ model }) => view.tasks[0]!.results.find((result) => result.model.key === model.key)!.entry.primary!.value!,
    );
    expect(lengths).toHaveLength(models);
    for (const [index, length] of lengths.entries()) expect(length / lengths[0]!).toBeCloseTo(values[index]! / values[0]!, 1);
  });
});

test('equal records give equal drawings, without style attributes or ids of other charts', async () => {
  const input = await scoredRun({ models: 2, samplesPerTask: 20 });
  const draw = () => [...overview(input).values()].map(renderChartSvg);
  expect(draw()).toEqual(draw());
  for (const svg of draw()) {
    expect(svg).not.toMatch(/ style=|<style|\bzr\d+-/);
    expect(svg).toMatch(/^<svg /);
  }
});

test('a drawing follows the colour scheme of its page', async () => {
  const input = await scoredRun({ models: 2, samplesPerTask: 20 });
  const svg = withThemeVariables(renderChartSvg(overview(input).get('accuracy_comparison')!));
  expect(svg).toContain('var(--chart-accent)');
  expect(/(fill|stroke)="#[0-9a-f]{6}"/.test(svg)).toBe(false);
  const colours = Object.values(lightChartTheme).flat();
  expect(Object.keys(darkChartTheme)).toEqual(Object.keys(lightChartTheme));
  expect(new Set([...colours.slice(0, 9), ...lightChartTheme.series]).size).toBe(9 + lightChartTheme.series.length);
});

test('names from outside stay text', async () => {
  let at = 0;
  const mapModel = <T extends { readonly key: string }>(model: T): T => ({ ...model, key: hostileTexts[at++ % hostileTexts.length]! });
  const input = await scoredRun({ models: 15, samplesPerTask: 10, mapModel });
  for (const chart of overview(input).values()) {
    const svg = renderChartSvg(chart);
    const tags = new Set([...svg.matchAll(/<\/?([a-zA-Z][\w-]*)/g)].map(([, tag]) => tag));
    expect(
      [...tags].filter(
        (tag) => !['svg', 'path', 'g', 'text', 'tspan', 'rect', 'defs', 'clipPath', 'circle', 'polyline', 'polygon', 'line'].includes(tag!),
      ),
    ).toEqual([]);
    expect(/<[^>]*\son\w+=/.test(svg)).toBe(false);
    expect(/[\u0000-\u0008\u202e]/.test(svg)).toBe(false);
  }
});

test('nothing measured is said in words, not shown as an empty frame', async () => {
  const { records } = await scoredRun({ models: 2, samplesPerTask: 10 });
  const bare = records.map((record) => ({
    ...record,
    modelRuns: record.modelRuns.map((run) => ({ ...run, resources: null })),
    results: record.results.map((entry) => ({
      ...entry,
      primary: null,
      resources: null,
      speed: { ...entry.speed, latencyMs: { ...entry.speed.latencyMs, p50: null, p95: null, p99: null }, decodeTokensPerSecond: null },
    })),
  }));
  for (const chart of overview({ records: bare, rows: [] }).values()) {
    expect(chart.noData, chart.id).not.toBeNull();
    expect(renderChartSvg(chart)).toContain('No data');
  }
});

test('a series without spread still has an axis', () => {
  const points = [1, 2, 3].map((x) => ({ x, y: 5, low: 5, high: 5 }));
  const chart = buildCurveOption({ id: 'flat', title: 'Flat', subtitle: '', xName: 'x', yName: 'y', curves: [{ name: 'one', points }] });
  const { min, max } = chart.option['yAxis'] as { min: number; max: number };
  expect(max).toBeGreaterThan(min);
  expect(drawnMarks(renderChartSvg(chart))).toBe(6);
  const series = [{ model: 'a', valuesMs: [7, 7, 7] }];
  expect(logBins(series).counts[0]!.reduce((total, count) => total + count, 0)).toBe(3);
  expect(renderChartSvg(buildHistogramOption(series, { id: 'h', task: 't' }))).not.toMatch(/NaN|Infinity/);
});

test('calibration, confusion and histograms show every bin, cell and answer', async () => {
  const { records, rows } = await scoredRun({ models: 2, samplesPerTask: 60 });
  const details = records[0]!.results.flatMap((entry) => Object.values(entry.metrics.details));
  const bins = details.find((one) => one.reliability !== undefined)!.reliability!;
  const confusion = details.find((one) => one.confusion !== undefined)!.confusion!;
  const about = { id: 'x', model: 'm', task: 't' };
  expect(drawnMarks(renderChartSvg(buildReliabilityOption(bins, about)))).toBe(bins.filter((bin) => bin.n > 0).length);
  expect(drawnMarks(renderChartSvg(buildConfusionOption(confusion, about)))).toBe(confusion.labels.length * (confusion.labels.length + 1));
  const valuesMs = rows.filter(({ row }) => row.task === 'qa-mini').map(({ row }) => row.timing.totalMs!);
  const { counts } = logBins([{ model: 'm', valuesMs }]);
  expect(counts[0]!.reduce((total, count) => total + count, 0)).toBe(valuesMs.length);
  expect(drawnMarks(renderChartSvg(buildHistogramOption([{ model: 'm', valuesMs }], about)))).toBe(
    counts[0]!.filter((count) => count > 0).length,
  );
});

test('load sweeps, quantisation sweeps and history are drawn where records hold them', async () => {
  const interval = { low: 70, high: 95, level: 0.95, method: 'order-statistic' };
  const points = [1, 2, 4].map((users) => ({
    label: `${users} users`,
    metrics: { ttft: { p95: 80 * users, p95Interval: { ...interval, low: 70 * users, high: 95 * users } } },
    rates: { outputRate: { value: 20 * users } },
  }));
  const members = [4, 5, 8].map((bits) => ({
    quantisation: `Q${bits}`,
    model: `m.Q${bits}`,
    isReference: false,
    sizeBytes: bits * 1e7,
    fidelity: { klMean: 0.1 / bits, klMeanError: 0.001 },
  }));
  const results = [
    { model: 'm', difference: null, interval: null },
    { model: 'm.Q4', difference: -0.1, interval: { low: -0.2, high: 0 } },
    { model: 'm.Q8', difference: 0.01, interval: { low: -0.1, high: 0.12 } },
    { model: 'm.Q5', difference: null, interval: null },
  ];
  const first = (await scoredRun({ models: 1, samplesPerTask: 20, tasks: 2, created: '2026-11-01T10:00:00.000Z', id: 'run-1' }))
    .records[0]!;
  const second = (await scoredRun({ models: 1, samplesPerTask: 20, tasks: 2, created: '2026-11-08T10:00:00.000Z', id: 'run-2', seed: 8 }))
    .records[0]!;
  expect(recordCurves(buildReportView([first]))).toEqual([]);
  const measured = {
    ...first,
    performance: { schema: 'slmbench/performance/1', subjects: [{ model: 'm', points }] } as never,
    quantisation: {
      schema: 'slmbench/quantisation/1',
      reference: 'f16',
      members: [...members, { model: 'm', quantisation: 'F16', isReference: true, sizeBytes: 2e8, fidelity: null }],
      tasks: [{ task: 'arc', metric: 'acc', results }],
    } as never,
  };
  const charts = new Map(recordCurves(buildReportView([measured, second])).map((chart) => [chart.id, chart]));
  expect([...charts.keys()]).toEqual(['load_sweep', 'quantisation', 'quantisation_quality', 'history']);
  expect(drawnMarks(renderChartSvg(charts.get('load_sweep')!))).toBe(3 + 3);
  expect(drawnMarks(renderChartSvg(charts.get('quantisation')!))).toBe(3 + 3);
  expect(drawnMarks(renderChartSvg(charts.get('quantisation_quality')!))).toBe(3 + 2);
  expect(drawnMarks(renderChartSvg(charts.get('history')!))).toBe(2 * (2 + 2));
  for (const chart of charts.values()) expect(sum(chart)).toBe(drawnMarks(renderChartSvg(chart)));
});

test('resources over time are drawn for each figure that was measured, as lines without symbols', () => {
  const points = Array.from({ length: 240 }, (_, at) => ({
    atMs: at * 1000,
    rssBytes: (100 + at) * 2 ** 20,
    cpuPercent: at === 0 ? null : 90,
    gpuMemoryBytes: null,
  }));
  const charts = timelineCharts([
    { label: 'one', points },
    { label: 'two', points: points.slice(0, 100) },
  ]);
  expect(charts.map(({ id }) => id)).toEqual(['memory_timeline', 'cpu_timeline']);
  for (const chart of charts) {
    const svg = renderChartSvg(chart);
    expect(sum(chart)).toBe(2);
    expect(new Set([...svg.matchAll(/ecmeta_series_index="(\d+)"/g)].map(([, series]) => series)).size).toBe(2);
    expect(svg.length).toBeLessThan(30_000);
    expect(svg).not.toMatch(/NaN|Infinity/);
  }
  expect(timelineCharts([])).toEqual([]);
  expect(timelineCharts([{ label: 'none', points: [] }])).toEqual([]);
});

test('profiles over tasks are drawn from three tasks and two models on, and not beyond what can be read', async () => {
  const idsOf = (input: ReportInput): string[] => [...overview(input).keys()].filter((id) => id.startsWith('task_'));
  expect(idsOf(await scoredRun({ models: 2, samplesPerTask: 10, tasks: 2 }))).toEqual([]);
  expect(idsOf(await scoredRun({ models: 1, samplesPerTask: 10, tasks: 3 }))).toEqual([]);
  const three = await scoredRun({ models: 2, samplesPerTask: 10, tasks: 3 });
  expect(idsOf(three)).toEqual(['task_radar', 'task_heatmap']);
  const [record] = three.records;
  const numbered = (count: number): ReportInput => {
    const keys = Array.from({ length: count }, (_, at) => `task-${at}`);
    const tasks = keys.map((key) => ({ ...record!.tasks[0]!, key }));
    const results = keys.flatMap((task) =>
      record!.results.filter((entry) => entry.task === record!.tasks[0]!.key).map((entry) => ({ ...entry, task })),
    );
    return { records: [{ ...record!, tasks, results }], rows: [] };
  };
  expect(idsOf(numbered(20))).toEqual(['task_heatmap']);
  expect(drawnMarks(renderChartSvg(overview(numbered(20)).get('task_heatmap')!))).toBe(40);
  expect(idsOf(numbered(61))).toEqual([]);
});

test('what was not measured for a model has no place on a radar: the axis is left out and named', async () => {
  const input = await scoredRun({ models: 2, samplesPerTask: 10 });
  const [record] = input.records;
  const silentModel = record!.models[0]!.key;
  const silent = record!.results.map((entry) =>
    entry.model === silentModel ? { ...entry, speed: { ...entry.speed, decodeTokensPerSecond: null } } : entry,
  );
  const charts = overview({ ...input, records: [{ ...record!, results: silent }] });
  const svg = renderChartSvg(charts.get('radar_chart')!);
  expect(svg).toContain('Not measured for every model: output speed.');
  expect(svg).not.toContain('>Output speed<');
  const unscored = record!.results.map((entry, at) => (at === 0 ? { ...entry, primary: null } : entry));
  const radar = overview({ ...input, records: [{ ...record!, results: unscored }] }).get('task_radar')!;
  expect(radar.description).toContain('on 3 tasks');
});
