// Evidence of performance runs: medians of a load point with their intervals, and ratios to the same load of the baseline.
import { basename, dirname } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import type { Interval } from '../../core/metric.ts';
import type { RunRecord } from '../../core/record.ts';
import { type GateRule, requireShare, unknownMetric } from '../../report/gate/gate-rule.ts';
import type { GateEvidence } from '../../report/gate/judge-gate.ts';
import { medianRatio } from '../../stats/median-ratio.ts';
import type { LoadPoint, Performance, PerfSubject } from '../perf/perf-schema.ts';
import { performanceOf, type RequestLine, readPerfRun } from '../perf/read-perf-run.ts';
import type { Workspace } from '../workspace.ts';
import { atLevel } from './at-level.ts';

export interface GatedPerf {
  readonly performance: Performance;
  /** null for a record without its run folder. */
  readonly requests: readonly RequestLine[] | null;
}

/** Names that rules use, beside the names of the record. */
const aliases: Readonly<Record<string, string>> = {
  latency: 'e2e',
  decode: 'decodeRate',
  prefill: 'prefillRate',
  throughput: 'outputRate',
};

const readings: Readonly<Record<string, (line: RequestLine) => number | undefined>> = {
  ttft: (line) => line.ttftMs,
  tpot: (line) => line.tpotMs,
  e2e: (line) => line.e2eMs,
  decodeRate: (line) => (line.tpotMs === undefined || line.tpotMs === 0 ? undefined : 1000 / line.tpotMs),
};

interface Figure {
  readonly value: number | null;
  readonly n: number;
  readonly interval: Interval | null;
  readonly unit: string;
  readonly notes: readonly string[];
}

/** One subject at one load, or (peak memory) over all loads. */
interface Place {
  readonly subject: PerfSubject;
  readonly point: LoadPoint | null;
  readonly index: number;
}

export async function openGatedPerf(reference: string, record: RunRecord, workspace: Workspace): Promise<GatedPerf> {
  const performance = performanceOf(record);
  const folder = basename(reference) === 'record.json' ? dirname(reference) : reference;
  const run = await readPerfRun(folder, workspace).catch(() => null);
  // A folder without its requests.jsonl reads as one without requests.
  if (run !== null && run.record.id === record.id && run.requests.length > 0) return { performance, requests: run.requests };
  return { performance, requests: null };
}

function figureOf({ subject, point }: Place, name: string): Figure | undefined {
  if (point === null)
    return { value: subject.peakRssBytes, n: subject.peakRssBytes === null ? 0 : 1, interval: null, unit: 'bytes', notes: [] };
  const metric = point.metrics[name];
  if (metric !== undefined) return { value: metric.p50, n: metric.n, interval: metric.p50Interval, unit: metric.unit, notes: metric.notes };
  return point.rates[name];
}

function placesOf({ subjects }: Performance, rule: GateRule): Place[] {
  return subjects.flatMap((subject): Place[] => {
    if (rule.metric === 'memory') return rule.task === null ? [{ subject, point: null, index: -1 }] : [];
    const places = subject.points.map((point, index) => ({ subject, point, index }));
    return places.filter(({ point }) => rule.task === null || rule.task === point.label);
  });
}

/** The same load of the same model, or of the only model of each run. */
function counterpart(place: Place, own: Performance, other: Performance): Place | undefined {
  const isOnly = own.subjects.length === 1 && other.subjects.length === 1;
  const subject = other.subjects.find(({ model }) => model === place.subject.model) ?? (isOnly ? other.subjects[0] : undefined);
  if (subject === undefined || place.point === null) return subject && { subject, point: null, index: -1 };
  const load = JSON.stringify(place.point.load);
  const index = subject.points.findIndex((point) => JSON.stringify(point.load) === load);
  return index === -1 ? undefined : { subject, point: subject.points[index]!, index };
}

function measurements({ requests }: GatedPerf, place: Place, name: string): number[][] | null {
  const read = readings[name];
  if (requests === null || read === undefined) return null;
  const lines = requests.filter(
    (line) => line.model === place.subject.model && line.point === place.index && line.steady && line.error === undefined,
  );
  const runs = [...Map.groupBy(lines, (line) => line.rep).values()];
  const values = runs.map((run) => run.map(read).filter((value) => value !== undefined));
  return values.some((run) => run.length > 0) ? values.filter((run) => run.length > 0) : null;
}

/** Ratio of two independent figures from their own intervals, on the log scale (MOVER: Zou and Donner 2008). */
function recordedRatio(
  before: Figure,
  after: Figure,
  level: number,
): { readonly ratio: number | null; readonly interval: Interval | null } {
  if (before.value === null || after.value === null || before.value <= 0) return { ratio: null, interval: null };
  const ratio = after.value / before.value;
  const [a, b] = [atLevel(after.interval, after.value, level), atLevel(before.interval, before.value, level)];
  if (a === null || b === null || a.low <= 0 || b.low <= 0) return { ratio, interval: null };
  const down = Math.hypot(Math.log(after.value / a.low), Math.log(b.high / before.value));
  const up = Math.hypot(Math.log(a.high / after.value), Math.log(before.value / b.low));
  return { ratio, interval: { low: ratio * Math.exp(-down), high: ratio * Math.exp(up), level, method: 'mover-log' } };
}

function notesOf(place: Place, before: Place | undefined, figure: Figure): string[] {
  const notes = [...figure.notes];
  for (const [whose, one] of [['the run', place] as const, ['the baseline', before] as const]) {
    const validity = one === undefined ? undefined : (one.point ?? one.subject).validity;
    if (validity !== undefined && validity.verdict !== 'valid')
      notes.push(`${whose} is ${validity.verdict}: ${validity.reasons.map((reason) => reason.code).join(', ')}`);
  }
  if (before !== undefined && before.subject.workload?.digest !== place.subject.workload?.digest)
    notes.push('the workloads differ: the requests were not the same');
  if (place.point !== null && figure.interval === null && figure.value !== null) notes.push('the record has no interval of this figure');
  return notes;
}

function isInvalid(place: Place | undefined): boolean {
  return place !== undefined && (place.point ?? place.subject).validity.verdict === 'invalid';
}

interface PerfGate {
  readonly run: GatedPerf;
  readonly baseline: GatedPerf | null;
  readonly seed: number;
  readonly level: number;
}

/** @throws ToolError `usage` for rules that fit no figure of the run */
export function perfPlaces(rule: GateRule, { performance }: GatedPerf): Place[] {
  if (rule.kind === 'max-drop')
    throw new ToolError('usage', `${rule.text}: the run measured speed, not quality`, { hint: 'speed has --max-ratio and --min-ratio' });
  const name = aliases[rule.metric] ?? rule.metric;
  const places = placesOf(performance, rule);
  const found = places.filter((place) => figureOf(place, name) !== undefined);
  if (found.length > 0) return found;
  const points = performance.subjects.flatMap((subject) => subject.points);
  const known = points.flatMap((point) => [...Object.keys(point.metrics), ...Object.keys(point.rates)]);
  const loads = points.map((point) => point.label);
  if (points.length === 0 && rule.metric !== 'memory')
    throw new ToolError('usage', `${rule.text}: the run has no load point`, { hint: 'a gate judges loads and memory' });
  throw unknownMetric(rule, [...new Set([...known, ...Object.keys(aliases), 'memory'])], [...new Set(loads)], 'load');
}

/** The evidence of one rule at one place; an invalid measurement gives none. */
export function perfEvidence(rule: GateRule, place: Place, { run, baseline, seed, level }: PerfGate): GateEvidence {
  const name = aliases[rule.metric] ?? rule.metric;
  const figure = figureOf(place, name)!;
  requireShare(rule, figure.unit);
  const isRatio = rule.kind.endsWith('ratio');
  const before = baseline === null ? undefined : counterpart(place, run.performance, baseline.performance);
  const old = before === undefined ? undefined : figureOf(before, name);
  const shared = {
    rule,
    model: place.subject.model,
    task: place.point?.label ?? null,
    baseline: old?.value ?? null,
    value: figure.value,
    identical: false,
    exact: place.point === null,
  };
  const notes = notesOf(place, isRatio ? before : undefined, figure);
  if (isInvalid(place) || (isRatio && isInvalid(before)))
    return { ...shared, exact: false, n: figure.n, effect: null, interval: null, notes };
  if (!isRatio) {
    const interval = figure.value === null ? null : atLevel(figure.interval, figure.value, level);
    return { ...shared, exact: shared.exact && figure.value !== null, n: figure.n, effect: figure.value, interval, notes };
  }
  if (before === undefined || old === undefined) {
    const missing = 'the baseline has no such load of this model';
    return { ...shared, exact: false, n: 0, effect: null, interval: null, notes: [...notes, missing] };
  }
  const [first, second] = [measurements(baseline!, before, name), measurements(run, place, name)];
  const { ratio, interval } =
    first === null || second === null ? recordedRatio(old, figure, level) : medianRatio(first, second, { seed, level });
  return { ...shared, exact: shared.exact && ratio !== null, n: Math.min(old.n, figure.n), effect: ratio, interval, notes };
}
