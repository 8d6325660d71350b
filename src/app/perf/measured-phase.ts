// One measured phase: the load, and what client, host, model and server did meanwhile.
import type { Backend } from '../../core/ports/backend.ts';
import type { ResourceSummary } from '../../core/record.ts';
import { startHostMonitor } from '../../profiler/host-monitor.ts';
import { startLoopMonitor } from '../../profiler/loop-monitor.ts';
import { quantile } from '../../stats/quantile.ts';
import { generateLoad } from './generate-load.ts';
import type { LoadMode } from './load-mode.ts';
import type { WindowOfRepetition } from './load-rates.ts';
import type { PointInput } from './measure-load-point.ts';
import { describeMetered } from './metered-phase.ts';
import type { ClientFacts, HostFacts, ServerCounts, WarmUpFacts } from './perf-schema.ts';
import { readRequestLine, requestLine } from './request-line.ts';
import type { RequestResult } from './request-log.ts';
import { readServerCounts } from './server-counts.ts';
import { findSteadyWindow, type SteadyWindow } from './steady-window.ts';

export interface MeasuredPhase extends WindowOfRepetition {
  readonly window: SteadyWindow;
  readonly durationMs: number;
  /** The warm-up right before it; null where that of an earlier repetition served. */
  readonly warmUp: WarmUpFacts | null;
  readonly client: ClientFacts;
  readonly host: HostFacts;
  readonly resources: ResourceSummary | null;
  readonly serverCounts: ServerCounts | null;
  readonly requestLines: readonly string[];
  readonly resourceLines: readonly string[];
}

/** Why a phase is no whole measurement and is not kept: it was stopped, its server went away, or nothing was answered at all. */
export type PhaseCut = 'interrupted' | 'server-gone' | 'no-answers';

/** Broken connections at the end of a phase, in a row, that mean the server is gone. */
const lostInARow = 3;

export function cutOf(all: readonly RequestResult[], isAborted: boolean): PhaseCut | null {
  if (isAborted) return 'interrupted';
  const byEnd = all.toSorted((a, b) => a.endedMs - b.endedMs);
  const last = byEnd.slice(-lostInARow);
  if (last.length > 0 && last.every(({ error }) => error?.class === 'transport')) return 'server-gone';
  return all.every(({ error }) => error !== null) ? 'no-answers' : null;
}

export async function measurePhase(input: PointInput, repetition: number, warmUp: WarmUpFacts | null): Promise<MeasuredPhase> {
  const { settings, workload, backend, mode } = input;
  const count = Math.min(settings.requests, workload.length ?? settings.requests);
  const requests = await workload.prepare(count, `${input.runNonce} point ${input.number} repetition ${repetition}`);
  const totals = (await input.readServerTotals?.()) ?? null;
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
  const window = findSteadyWindow(outcome, mode);
  const steady = new Set(window.results.map((result) => result.index));
  const labels = { model: input.model, point: input.number, repetition };
  const requestLines = outcome.log.results().map((result) => requestLine(result, { ...labels, isSteady: steady.has(result.index) }));
  // Figures rest on what is written down, so that they can be computed again from it.
  const written = requestLines.map(readRequestLine);
  const all = written.map(({ result }) => result);
  return {
    durationMs: outcome.durationMs,
    warmUp,
    window: { ...window, results: written.filter(({ isSteady }) => isSteady).map(({ result }) => result) },
    all,
    resources,
    client: clientFacts(client, all, outcome.durationMs, mode, settings.ceilingChunksPerSecond),
    host: {
      foreignCores: foreignCores(around.busyCores, client.cpuPercent, resources, backend),
      stealShare: around.stealShare,
      cores: around.cores,
      clockStepMs: around.clockStepMs,
      throttleEvents: around.throttleEvents,
    },
    serverCounts: totals === null ? null : await readServerCounts(totals, input.readServerTotals!, all),
    requestLines,
    resourceLines: session === null ? [] : describeMetered(input.model, input.number, repetition, session.samples()).lines,
  };
}

function clientFacts(
  client: ReturnType<ReturnType<typeof startLoopMonitor>['stop']>,
  all: readonly RequestResult[],
  durationMs: number,
  mode: LoadMode,
  ceiling: number | null,
): ClientFacts {
  const chunks = all.reduce((sum, result) => sum + result.gapsMs.length + (result.ttftMs === null ? 0 : 1), 0);
  const chunksPerSecond = durationMs > 0 ? (chunks * 1000) / durationMs : null;
  return {
    cpuPercent: client.cpuPercent,
    loopLagMs: client.lagMs,
    sendLagP99Ms: mode.kind === 'concurrency' ? null : sendLag(all),
    chunksPerSecond,
    ceilingShare: ceiling === null || chunksPerSecond === null ? null : chunksPerSecond / ceiling,
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
