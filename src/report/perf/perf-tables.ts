// The performance tables as rows of text, shared by terminal and Markdown: serving, latency, engine, verdicts.
import { dash, formatBytes, formatDuration, formatFixed, formatPercent } from '../format-values.ts';
import type { MetricView, PerformanceView, PointView, SubjectView } from './perf-view.ts';

interface PerfColumn {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** The lowest is left out first where the terminal is narrow. */
  readonly priority: number;
}

export interface PerfTable {
  readonly title: string;
  readonly columns: readonly PerfColumn[];
  readonly rows: readonly (readonly string[])[];
}

export function column(title: string, priority: number, align: PerfColumn['align'] = 'right'): PerfColumn {
  return { title, align, priority };
}

/** `412 ms [398, 430] good`; a percentile that rests on too few answers is marked `?`. */
function latency(metric: MetricView | undefined, percentile: 'p50' | 'p95'): string {
  if (metric === undefined || metric[percentile] === null) return dash;
  const interval = percentile === 'p50' ? metric.p50Interval : metric.p95Interval;
  const mark = metric.weak.includes(percentile) ? '?' : '';
  const range =
    interval === null ? '' : ` [${interval.low.toFixed(interval.low < 10 ? 2 : 0)}, ${interval.high.toFixed(interval.high < 10 ? 2 : 0)}]`;
  const rating = percentile === 'p50' && metric.rating !== null ? ` ${metric.rating}` : '';
  return `${formatDuration(metric[percentile])}${mark}${range}${rating}`;
}

function servingRow(subject: SubjectView, point: PointView): string[] {
  const { metrics, rates } = point;
  const slo = point.slo === null ? dash : `${formatPercent(rates['sloAttainment']?.value)}${point.slo.attained ? ' met' : ' missed'}`;
  return [
    subject.model,
    point.label,
    latency(metrics['ttft'], 'p50'),
    latency(metrics['ttft'], 'p95'),
    latency(metrics['tpot'], 'p50'),
    latency(metrics['e2e'], 'p95'),
    formatFixed(rates['outputRate']?.value, 1),
    formatFixed(rates['requestRate']?.value, 2),
    formatFixed(rates['goodput']?.value, 2),
    slo,
    formatPercent(rates['errorShare']?.value),
    formatPercent(rates['cachedPromptShare']?.value),
    String(point.requests.steady),
    point.validity.verdict,
  ];
}

export function servingTable(view: PerformanceView): PerfTable {
  return {
    title: 'Under load',
    columns: [
      column('model', 20, 'left'),
      column('load', 19, 'left'),
      column('TTFT p50 [95 %]', 18),
      column('TTFT p95', 13),
      column('TPOT p50 [95 %]', 17),
      column('E2E p95', 12),
      column('out tok/s', 16),
      column('req/s', 11),
      column('goodput/s', 9),
      column('SLO', 10),
      column('errors', 8),
      column('cached', 6),
      column('n', 7),
      column('verdict', 15, 'left'),
    ],
    rows: view.subjects.flatMap((subject) => subject.points.map((point) => servingRow(subject, point))),
  };
}

export function detailTable(view: PerformanceView): PerfTable {
  return {
    title: 'Details',
    columns: [
      column('model', 12, 'left'),
      column('load', 11, 'left'),
      column('first answer p50', 9),
      column('from schedule p95', 4),
      column('ICL p99', 5),
      column('longest stall', 8),
      column('prompt tok/s', 10),
      column('decode tok/s', 10),
      column('peak memory', 9),
      column('CPU', 6),
      column('J/token', 7),
      column('send lag p99', 3),
    ],
    rows: view.subjects.flatMap((subject) =>
      subject.points.map(({ label, metrics, resources, client, energyPerOutputTokenJoules }) => [
        subject.model,
        label,
        latency(metrics['ttfa'], 'p50'),
        latency(metrics['e2eFromSchedule'], 'p95'),
        formatDuration(metrics['icl']?.p99),
        formatDuration(metrics['longestStall']?.max),
        formatFixed(metrics['prefillRate']?.p50, 0),
        formatFixed(metrics['decodeRate']?.p50, 1),
        formatBytes(resources?.peakRssBytes),
        resources?.meanCpuPercent == null ? dash : `${resources.meanCpuPercent.toFixed(0)} %`,
        energyPerOutputTokenJoules === null ? 'not available' : energyPerOutputTokenJoules.toFixed(3),
        formatDuration(client.sendLagP99Ms),
      ]),
    ),
  };
}

export function engineTable(view: PerformanceView): PerfTable {
  return {
    title: 'Engine (as llama-bench measures)',
    columns: [
      column('model', 6, 'left'),
      column('test', 8, 'left'),
      column('depth', 5),
      column('threads', 3),
      column('batch', 2),
      column('tok/s mean ± sd', 9),
      column('median', 7),
      column('n', 4),
    ],
    rows: view.subjects.flatMap((subject) =>
      subject.engine.map(({ test, depth, threads, batch, tokensPerSecond: speed }) => [
        subject.model,
        test,
        String(depth),
        String(threads ?? dash),
        String(batch ?? dash),
        `${formatFixed(speed.mean, 2)} ± ${formatFixed(speed.sd, 2)}`,
        formatFixed(speed.p50, 2),
        String(speed.n),
      ]),
    ),
  };
}

/** `... the server had 768 prompt tokens (768 arrived here), ...`; what either side did not count is left out. */
function countsRemark({ serverCounts }: PointView): string | null {
  if (serverCounts == null) return null;
  const { server, client } = serverCounts;
  const part = (name: keyof typeof server, what: string): string[] =>
    server[name] === null || client[name] === null ? [] : [`${server[name]} ${what} (${client[name]} arrived here)`];
  const parts = [...part('requests', 'requests'), ...part('promptTokens', 'prompt tokens'), ...part('generatedTokens', 'generated tokens')];
  return parts.length === 0 ? null : `by its own counters the server had ${parts.join(', ')}`;
}

/** Sentences below the tables: where capacity lies, what casts doubt, what a figure rests on. */
export function perfRemarks(view: PerformanceView): string[] {
  const remarks: string[] = [];
  for (const subject of view.subjects) {
    if (subject.loadMs !== null)
      remarks.push(
        `${subject.model}: loaded in ${formatDuration(subject.loadMs)}${subject.loadWarm === false ? ' (cold)' : subject.loadWarm === true ? ' (warm)' : ''}`,
      );
    if (subject.workload !== null) {
      const { kind, name, digest, uniquePrefix, fixedLength } = subject.workload;
      remarks.push(
        `${subject.model}: workload ${kind} ${name}, digest ${digest.slice(0, 12)}${uniquePrefix ? '' : ', prompt caching allowed'}${fixedLength ? ', answers of fixed length' : ''}`,
      );
    }
    if (subject.sloCapacity !== null)
      remarks.push(
        `${subject.model}: holds ${subject.sloCapacity.label} within the objective (goodput ${formatFixed(subject.sloCapacity.goodputPerSecond, 2)} req/s, ${subject.sloCapacity.tried} loads tried)`,
      );
    for (const point of subject.points) {
      if (point.slo !== null)
        remarks.push(
          `${subject.model}, ${point.label}: ${point.slo.objective}: ${point.slo.good} good, ${point.slo.bad} bad, ${point.slo.undetermined} undetermined`,
        );
      const counts = countsRemark(point);
      if (counts !== null) remarks.push(`${subject.model}, ${point.label}: ${counts}`);
      for (const reason of point.validity.reasons)
        remarks.push(`${subject.model}, ${point.label} (${point.validity.verdict}): ${reason.message} (${reason.code})`);
    }
  }
  const weak = view.subjects.some((subject) =>
    subject.points.some((point) => Object.values(point.metrics).some((metric) => metric.weak.length > 0)),
  );
  if (weak) remarks.push('? = too few answers for this percentile (64 for p90, 130 for p95, 662 for p99)');
  return remarks;
}
