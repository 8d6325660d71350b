// One load point: warm up until level, repeat the measured phase, and judge what came out. Phases of an earlier session are taken as
// they are; one that was cut is measured anew as a whole.
import type { Backend } from '../../core/ports/backend.ts';
import type { Meter } from '../../core/ports/meter.ts';
import type { Validity } from '../../core/record.ts';
import { joinClients, joinHosts, joinResources, joinWarmUps } from './join-phases.ts';
import { phaseFromStage, phaseToStage } from './kept-phase.ts';
import { describeLoad, type LoadMode } from './load-mode.ts';
import { cutOf, type MeasuredPhase, measurePhase, type PhaseCut } from './measured-phase.ts';
import type { PerfJournal } from './perf-journal.ts';
import type { LoadPoint, WarmUpFacts } from './perf-schema.ts';
import { judgePerf } from './perf-validity.ts';
import { pointFigures } from './point-figures.ts';
import type { Ratings } from './ratings.ts';
import { joinServerCounts, type ReadServerTotals } from './server-counts.ts';
import type { Slo } from './slo.ts';
import { warmUp } from './warm-up.ts';
import type { Workload } from './workload/workload.ts';

export interface PointSettings {
  readonly requests: number;
  readonly maxDurationMs: number;
  readonly drainMs: number;
  readonly repetitions: number;
  readonly maxInFlight?: number | undefined;
  readonly warmUpRounds: number;
  readonly warmUpMaxMs: number;
  readonly cacheAllowed: boolean;
  readonly ratings: Ratings;
  readonly slo: Slo | null;
  readonly meterIntervalMs: number;
  /** Chunks per second that `perf calibrate` found this client can take; null where it was not run. */
  readonly ceilingChunksPerSecond: number | null;
}

export interface PointInput {
  readonly backend: Backend;
  readonly mode: LoadMode;
  readonly workload: Workload;
  readonly settings: PointSettings;
  readonly meter: Meter | null;
  /** Number of this point in the run, for requests.jsonl and for nonces. */
  readonly number: number;
  readonly model: string;
  /** New in each run: prompts of two runs never begin alike. */
  readonly runNonce: string;
  readonly journal: PerfJournal;
  /** The server's own counters; null for backends that have none. */
  readonly readServerTotals: ReadServerTotals | null;
  /** Takes each phase as it ends, kept ones too. */
  readonly onPhase: (phase: MeasuredPhase) => void;
  /** A phase that is no whole measurement: the run stays unfinished. */
  readonly onCut: (repetition: number, cut: PhaseCut) => void;
  readonly signal?: AbortSignal | undefined;
}

/** Key of a phase in the journal; all phases of a model begin alike. */
export function phaseKey(model: string, point?: number, label?: string, repetition?: number): string {
  return ['phase', model, point, label, repetition].filter((part) => part !== undefined).join('|');
}

export async function measureLoadPoint(input: PointInput): Promise<LoadPoint> {
  const { settings, journal, workload } = input;
  const { digest } = workload.facts;
  const isStopped = (): boolean => input.signal?.aborted === true;
  let isWarm = false;
  const phases: MeasuredPhase[] = [];
  for (let repetition = 0; repetition < settings.repetitions && !isStopped(); repetition++) {
    const key = phaseKey(input.model, input.number, describeLoad(input.mode), repetition);
    const stage = journal.find(key);
    let phase = stage === undefined ? null : phaseFromStage(stage, digest);
    if (phase === null) {
      phase = await measurePhase(input, repetition, isWarm ? null : await warmPoint(input));
      isWarm = true;
      const cut = cutOf(phase.all, isStopped());
      if (cut === null) await journal.keep(key, phaseToStage(phase, digest));
      else input.onCut(repetition, cut);
    }
    phases.push(phase);
    input.onPhase(phase);
  }
  return pointOf(input, phases);
}

async function warmPoint(input: PointInput): Promise<WarmUpFacts> {
  const { settings, workload, backend, mode } = input;
  if (settings.warmUpRounds === 0) return { requests: 0, roundsMs: [], stable: false };
  const users = mode.kind === 'concurrency' ? mode.users : 1;
  const rounds = settings.warmUpRounds;
  const requests = await workload.prepare(
    Math.min(users * rounds, workload.length ?? users * rounds),
    `${input.runNonce} point ${input.number} warm-up`,
  );
  return warmUp(
    { backend, requestAt: (index) => requests[index % requests.length]!, drainMs: settings.drainMs, signal: input.signal },
    users,
    { maxRounds: rounds, maxDurationMs: settings.warmUpMaxMs },
  );
}

function pointOf(input: PointInput, phases: readonly MeasuredPhase[]): LoadPoint {
  const { settings, mode, workload } = input;
  const warm = joinWarmUps(phases.map((phase) => phase.warmUp));
  const all = phases.flatMap((phase) => phase.all);
  const steady = phases.flatMap((phase) => [...phase.window.results]);
  const client = joinClients(phases.map((phase) => phase.client));
  const host = joinHosts(phases.map((phase) => phase.host));
  const resources = joinResources(phases.map((phase) => phase.resources));
  const serverCounts = joinServerCounts(phases.map((phase) => phase.serverCounts));
  const validity: Validity = judgePerf({
    results: steady,
    client,
    host,
    warmUp: warm,
    slowedDown: phases.some((phase) => phase.window.slowedDown),
    fixedLength: workload.facts.fixedLength,
    cacheAllowed: settings.cacheAllowed,
    serverCounts,
    allAnswered: all.every((result) => result.error === null),
  });
  const outputTokens = all.reduce((sum, result) => sum + (result.outputTokens ?? 0), 0);
  return {
    load: mode.kind === 'trace' ? { kind: 'trace', offsetsMs: [...mode.offsetsMs] } : mode,
    label: describeLoad(mode),
    warmUp: warm,
    ...pointFigures(phases, settings.ratings, settings.slo),
    windows: phases.map(({ window, durationMs }) => ({
      fromMs: window.fromMs,
      toMs: window.toMs,
      durationMs,
      steps: window.steps.length,
    })),
    client,
    host,
    serverCounts,
    resources,
    energyPerOutputTokenJoules: resources?.energyJoules == null || outputTokens === 0 ? null : resources.energyJoules / outputTokens,
    validity,
  };
}
