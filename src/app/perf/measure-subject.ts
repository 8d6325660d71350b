// All load points of one opened model: the fixed ones, then the search for its capacity.
import { randomBytes } from 'node:crypto';
import type { Backend } from '../../core/ports/backend.ts';
import { monotonicClock } from '../../profiler/monotonic-clock.ts';
import { processMeter } from '../../profiler/process-meter.ts';
import { describeLoad, type LoadMode } from './load-mode.ts';
import { measureLoadPoint, type PointSettings } from './measure-load-point.ts';
import type { MeasuredPhase, PhaseCut } from './measured-phase.ts';
import type { PerfJournal } from './perf-journal.ts';
import type { PerfHooks, PerfRequest } from './perf-request.ts';
import type { LoadPoint, PerfSubject } from './perf-schema.ts';
import { searchCapacity } from './search-capacity.ts';
import type { ReadServerTotals } from './server-counts.ts';
import type { Workload } from './workload/workload.ts';

export interface SubjectInput {
  readonly model: string;
  readonly backend: Backend;
  readonly workload: Workload;
  readonly request: PerfRequest;
  readonly hooks: PerfHooks;
  readonly repetitions: number;
  readonly ceilingChunksPerSecond: number | null;
  readonly journal: PerfJournal;
  readonly readServerTotals: ReadServerTotals | null;
  readonly onPhase: (phase: MeasuredPhase) => void;
  /** Takes the name of a phase that is no whole measurement. */
  readonly onCut: (phase: string, cut: PhaseCut) => void;
}

function settingsOf({ request, repetitions, ceilingChunksPerSecond }: SubjectInput): PointSettings {
  return {
    requests: request.requests,
    maxDurationMs: request.maxDurationMs,
    drainMs: request.requestTimeoutMs,
    repetitions,
    maxInFlight: request.maxInFlight ?? undefined,
    warmUpRounds: request.warmUpRounds,
    warmUpMaxMs: Math.max(30_000, request.maxDurationMs / 2),
    cacheAllowed: request.cacheAllowed,
    ratings: request.ratings,
    slo: request.slo,
    meterIntervalMs: request.profileIntervalMs,
    ceilingChunksPerSecond,
  };
}

export async function measurePoints(input: SubjectInput): Promise<Pick<PerfSubject, 'points' | 'sloCapacity'>> {
  const { request, workload, hooks } = input;
  const settings = settingsOf(input);
  const runNonce = randomBytes(6).toString('hex');
  const points: LoadPoint[] = [];
  const measure = async (mode: LoadMode): Promise<LoadPoint> => {
    hooks.listener({ kind: 'note', at: monotonicClock.utc(), message: `${input.model}: ${describeLoad(mode)}, ${workload.facts.name}` });
    const point = await measureLoadPoint({
      backend: input.backend,
      model: input.model,
      mode,
      workload,
      settings,
      meter: request.profile && input.backend.processIds().length > 0 ? processMeter : null,
      number: points.length,
      runNonce,
      journal: input.journal,
      readServerTotals: input.readServerTotals,
      onPhase: input.onPhase,
      onCut: (repetition, cut) => input.onCut(`${input.model}, ${describeLoad(mode)}, repetition ${repetition + 1}`, cut),
      signal: hooks.signal,
    });
    points.push(point);
    return point;
  };
  const loads: readonly LoadMode[] = workload.offsetsMs === undefined ? request.loads : [{ kind: 'trace', offsetsMs: workload.offsetsMs }];
  for (const mode of loads) {
    if (hooks.signal?.aborted === true) break;
    await measure(mode);
  }
  const { search } = request;
  if (search === null || request.slo === null || hooks.signal?.aborted === true) return { points, sloCapacity: null };
  const modeAt = (level: number): LoadMode =>
    search.over === 'users' ? { kind: 'concurrency', users: level } : { kind: 'poisson', requestsPerSecond: level, seed: request.seed };
  const byLevel = new Map<number, LoadPoint>();
  const found = await searchCapacity({ start: search.start, max: search.max, isInteger: search.over === 'users' }, async (level) => {
    if (hooks.signal?.aborted === true) return false;
    const point = await measure(modeAt(level));
    byLevel.set(level, point);
    return point.slo?.attained === true && point.validity.verdict !== 'invalid';
  });
  const best = found.highest === null ? undefined : byLevel.get(found.highest);
  return {
    points,
    sloCapacity:
      best === undefined
        ? null
        : { load: best.load, label: best.label, goodputPerSecond: best.rates['goodput']?.value ?? null, tried: found.tried.length },
  };
}
