// One load point: warm up until level, repeat the measured phase, watch client, host and model meanwhile, and judge what came out.
import type { Backend } from '../../core/ports/backend.ts';
import type { Meter } from '../../core/ports/meter.ts';
import type { ResourceSummary, Validity } from '../../core/record.ts';
import { startHostMonitor } from '../../profiler/host-monitor.ts';
import { startLoopMonitor } from '../../profiler/loop-monitor.ts';
import { quantile } from '../../stats/quantile.ts';
import { generateLoad, type LoadOutcome } from './generate-load.ts';
import { describeLoad, type LoadMode } from './load-mode.ts';
import { countSlo, loadRates, type WindowOfRepetition } from './load-rates.ts';
import { describeMetered, type MeteredPhase } from './metered-phase.ts';
import type { ClientFacts, HostFacts, LoadPoint, WarmUpFacts } from './perf-schema.ts';
import { judgePerf } from './perf-validity.ts';
import type { Ratings } from './ratings.ts';
import { requestLine } from './request-line.ts';
import { requestMetrics } from './request-metrics.ts';
import { describeSlo, type Slo } from './slo.ts';
import { findSteadyWindow } from './steady-window.ts';
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
  /** Takes a line of requests.jsonl. */
  readonly onLine?: ((line: string) => void) | undefined;
  readonly onTimeline?: ((phase: MeteredPhase) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

interface MeasuredPhase extends WindowOfRepetition {
  readonly outcome: LoadOutcome;
  readonly client: ClientFacts;
  readonly host: HostFacts;
  readonly resources: ResourceSummary | null;
}

export async function measureLoadPoint(input: PointInput): Promise<LoadPoint> {
  const { settings } = input;
  const warm = await warmPoint(input);
  const phases: MeasuredPhase[] = [];
  for (let repetition = 0; repetition < settings.repetitions && input.signal?.aborted !== true; repetition++) {
    phases.push(await measurePhase(input, repetition));
  }
  return pointOf(input, warm, phases);
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

async function measurePhase(input: PointInput, repetition: number): Promise<MeasuredPhase> {
  const { settings, workload, backend, mode } = input;
  const count = Math.min(settings.requests, workload.length ?? settings.requests);
  const requests = await workload.prepare(count, `${input.runNonce} point ${input.number} repetition ${repetition}`);
  const session =
    input.meter === null ? null : await input.meter.start(() => backend.processIds(), { intervalMs: settings.meterIntervalMs });
  const host = startHostMonitor();
  const loop = startLoopMonitor();
  const outcome = await generateLoad({
    backend,
    mode,
    requestAt: (index) => requests[index]!,
    maxRequests: count,
    maxDurationMs: settings.maxDurationMs,
    maxInFlight: settings.maxInFlight,
    drainMs: settings.drainMs,
    signal: input.signal,
  });
  const client = loop.stop();
  const around = host.stop();
  const resources = session === null ? null : await session.stop();
  if (session !== null) input.onTimeline?.(describeMetered(input.model, input.number, repetition, session.samples()));
  const window = findSteadyWindow(outcome, mode);
  const all = outcome.log.results();
  const steady = new Set(window.results.map((result) => result.index));
  for (const result of all) {
    input.onLine?.(requestLine(result, { model: input.model, point: input.number, repetition, isSteady: steady.has(result.index) }));
  }
  const chunks = all.reduce((sum, result) => sum + result.gapsMs.length + (result.ttftMs === null ? 0 : 1), 0);
  const chunksPerSecond = outcome.durationMs > 0 ? (chunks * 1000) / outcome.durationMs : null;
  const ceiling = settings.ceilingChunksPerSecond;
  return {
    outcome,
    window,
    all,
    resources,
    client: {
      cpuPercent: client.cpuPercent,
      loopLagMs: client.lagMs,
      sendLagP99Ms: mode.kind === 'concurrency' ? null : sendLag(all),
      chunksPerSecond,
      ceilingShare: ceiling === null || chunksPerSecond === null ? null : chunksPerSecond / ceiling,
    },
    host: {
      foreignCores: foreignCores(around.busyCores, client.cpuPercent, resources, backend),
      stealShare: around.stealShare,
      cores: around.cores,
      clockStepMs: around.clockStepMs,
      throttleEvents: around.throttleEvents,
    },
  };
}

function sendLag(all: readonly { readonly sentMs: number; readonly scheduledMs: number }[]): number | null {
  return quantile(Float64Array.from(all, (result) => result.sentMs - result.scheduledMs).sort(), 0.99);
}

/** A server on this machine whose processes are unknown cannot be told from other programs, so nothing is claimed then. */
function foreignCores(busyCores: number | null, clientPercent: number, resources: ResourceSummary | null, backend: Backend): number | null {
  const model = resources?.meanCpuPercent ?? null;
  if (busyCores === null || (model === null && backend.identity.kind !== 'scripted')) return null;
  return Math.max(0, busyCores - clientPercent / 100 - (model ?? 0) / 100);
}

function worst(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : Math.max(...known);
}

function joinClients(clients: readonly ClientFacts[]): ClientFacts {
  return {
    cpuPercent: worst(clients.map((client) => client.cpuPercent)) ?? 0,
    loopLagMs: {
      p50: worst(clients.map((client) => client.loopLagMs.p50)) ?? 0,
      p99: worst(clients.map((client) => client.loopLagMs.p99)) ?? 0,
      max: worst(clients.map((client) => client.loopLagMs.max)) ?? 0,
    },
    sendLagP99Ms: worst(clients.map((client) => client.sendLagP99Ms)),
    chunksPerSecond: worst(clients.map((client) => client.chunksPerSecond)),
    ceilingShare: worst(clients.map((client) => client.ceilingShare)),
  };
}

function joinHosts(hosts: readonly HostFacts[]): HostFacts {
  return {
    foreignCores: worst(hosts.map((host) => host.foreignCores)),
    stealShare: worst(hosts.map((host) => host.stealShare)),
    cores: hosts[0]?.cores ?? 1,
    clockStepMs: hosts.reduce((most, host) => (Math.abs(host.clockStepMs) > Math.abs(most) ? host.clockStepMs : most), 0),
    throttleEvents: worst(hosts.map((host) => host.throttleEvents)),
  };
}

function joinResources(all: readonly (ResourceSummary | null)[]): ResourceSummary | null {
  const known = all.filter((resources) => resources !== null);
  const last = known.at(-1);
  if (last === undefined) return null;
  const energies = known.map((resources) => resources.energyJoules);
  return {
    ...last,
    samples: known.reduce((sum, resources) => sum + resources.samples, 0),
    peakRssBytes: worst(known.map((resources) => resources.peakRssBytes)),
    kernelPeakRssBytes: worst(known.map((resources) => resources.kernelPeakRssBytes)),
    peakCpuPercent: worst(known.map((resources) => resources.peakCpuPercent)),
    peakGpuMemoryBytes: worst(known.map((resources) => resources.peakGpuMemoryBytes)),
    energyJoules: energies.some((energy) => energy === null) ? null : energies.reduce<number>((sum, energy) => sum + energy!, 0),
  };
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function pointOf(input: PointInput, warm: WarmUpFacts, phases: readonly MeasuredPhase[]): LoadPoint {
  const { settings, mode, workload } = input;
  const all = phases.flatMap((phase) => phase.all);
  const steady = phases.flatMap((phase) => [...phase.window.results]);
  const client = joinClients(phases.map((phase) => phase.client));
  const host = joinHosts(phases.map((phase) => phase.host));
  const resources = joinResources(phases.map((phase) => phase.resources));
  const validity: Validity = judgePerf({
    results: steady,
    client,
    host,
    warmUp: warm,
    slowedDown: phases.some((phase) => phase.window.slowedDown),
    fixedLength: workload.facts.fixedLength,
    cacheAllowed: settings.cacheAllowed,
  });
  const outputTokens = all.reduce((sum, result) => sum + (result.outputTokens ?? 0), 0);
  const slo = settings.slo === null ? null : countSlo(steady, settings.slo);
  return {
    load: mode.kind === 'trace' ? { kind: 'trace', offsetsMs: [...mode.offsetsMs] } : mode,
    label: describeLoad(mode),
    warmUp: warm,
    requests: {
      sent: all.length,
      steady: steady.length,
      failed: all.filter((result) => result.error !== null).length,
      empty: all.filter((result) => result.error === null && result.ttftMs === null).length,
    },
    windows: phases.map(({ window, outcome }) => ({
      fromMs: window.fromMs,
      toMs: window.toMs,
      durationMs: outcome.durationMs,
      steps: window.steps.length,
    })),
    metrics: requestMetrics(steady, settings.ratings),
    rates: loadRates(phases, settings.slo),
    errorClasses: countBy(all.flatMap((result) => (result.error === null ? [] : [result.error.class]))),
    finishReasons: countBy(all.flatMap((result) => (result.error === null ? [result.finish] : []))),
    slo:
      slo === null
        ? null
        : {
            objective: describeSlo(settings.slo!),
            ...slo,
            attained: steady.length > 0 && slo.good / steady.length >= settings.slo!.percentile / 100,
          },
    client,
    host,
    resources,
    energyPerOutputTokenJoules: resources?.energyJoules == null || outputTokens === 0 ? null : resources.energyJoules / outputTokens,
    validity,
  };
}
