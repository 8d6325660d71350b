// Compares load points of two subjects: which metrics, which requests, and what makes the two unlike.
import { ToolError } from '../../core/errors.ts';
import { type ComparedMetric, type ComparePerfOptions, comparePerf, type MetricComparison, type MetricSeries } from './compare-perf.ts';
import type { PerfSubject } from './perf-schema.ts';
import type { PerfRun, RequestLine } from './read-perf-run.ts';

export interface SubjectRef {
  readonly label: string;
  readonly subject: PerfSubject;
  readonly requests: readonly RequestLine[];
}

export interface PointComparison {
  readonly load: string;
  readonly a: string;
  readonly b: string;
  readonly metrics: readonly MetricComparison[];
  /** What differs beside the models; each weakens the comparison. */
  readonly warnings: readonly string[];
}

const comparedMetrics = [
  { metric: 'ttft', field: 'ttftMs', unit: 'ms', better: 'lower' },
  { metric: 'tpot', field: 'tpotMs', unit: 'ms', better: 'lower' },
  { metric: 'e2e', field: 'e2eMs', unit: 'ms', better: 'lower' },
] as const;

export function subjectsOf(run: PerfRun): readonly SubjectRef[] {
  return run.performance.subjects.map((subject) => ({
    label: run.performance.subjects.length === 1 ? `${subject.model} (${run.id})` : subject.model,
    subject,
    requests: run.requests.filter((request) => request.model === subject.model),
  }));
}

function seriesOf(requests: readonly RequestLine[], point: number, field: (typeof comparedMetrics)[number]['field']): MetricSeries {
  const byRepetition = new Map<number, { prompt: string; value: number }[]>();
  for (const request of requests) {
    const value = request[field];
    if (request.point !== point || !request.steady || request.error !== undefined || value === undefined) continue;
    const list = byRepetition.get(request.rep) ?? [];
    list.push({ prompt: request.prompt, value });
    byRepetition.set(request.rep, list);
  }
  return [...byRepetition.values()];
}

function differences(a: PerfSubject, b: PerfSubject): string[] {
  const warnings: string[] = [];
  if (a.workload?.digest !== b.workload?.digest) warnings.push('the workloads differ: the requests were not the same');
  if (a.workload?.uniquePrefix !== b.workload?.uniquePrefix) warnings.push('one of them allowed prompt caching');
  for (const [name, subject] of [
    ['A', a],
    ['B', b],
  ] as const) {
    if (subject.validity.verdict !== 'valid')
      warnings.push(`${name} is ${subject.validity.verdict}: ${subject.validity.reasons.map((reason) => reason.code).join(', ')}`);
  }
  return warnings;
}

/** @throws ToolError `data` where the two share no load */
export function compareSubjects(a: SubjectRef, b: SubjectRef, options: ComparePerfOptions): readonly PointComparison[] {
  const comparisons: PointComparison[] = [];
  for (const [pointA, { label, load }] of a.subject.points.entries()) {
    const pointB = b.subject.points.findIndex((point) => JSON.stringify(point.load) === JSON.stringify(load));
    if (pointB === -1) continue;
    const metrics = comparedMetrics.map(
      ({ metric, field, unit, better }): ComparedMetric => ({
        metric,
        unit,
        better,
        a: seriesOf(a.requests, pointA, field),
        b: seriesOf(b.requests, pointB, field),
      }),
    );
    comparisons.push({
      load: label,
      a: a.label,
      b: b.label,
      metrics: comparePerf(metrics, options),
      warnings: differences(a.subject, b.subject),
    });
  }
  if (comparisons.length === 0) {
    const loads = (ref: SubjectRef): string => ref.subject.points.map((point) => point.label).join(', ') || 'none';
    throw new ToolError('data', 'the two share no load', { hint: `A has ${loads(a)}; B has ${loads(b)}` });
  }
  return comparisons;
}
