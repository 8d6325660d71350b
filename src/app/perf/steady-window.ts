// Which requests count: those sent while the load was full and the figures level; ramp, late warm-up and drain are left out.
import { findSteadyState, type SeriesStep } from '../../stats/steady-state.ts';
import type { LoadOutcome } from './generate-load.ts';
import type { LoadMode } from './load-mode.ts';
import type { RequestResult } from './request-log.ts';

export interface SteadyWindow {
  /** Both in whole microseconds, as times are written: a request at the edge must not fall out by its rounding. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly results: readonly RequestResult[];
  /** Steps in speed within the loaded time, first to last. */
  readonly steps: readonly SeriesStep[];
  /** True where speed fell by a step in the second half of the run: throttling, or another program. */
  readonly slowedDown: boolean;
}

/** Fewer waves of requests than this have no ramp worth cutting off. */
const fewestWaves = 6;

function speedOf(result: RequestResult): number {
  return result.tpotMs ?? (result.e2eMs === null ? Number.NaN : result.e2eMs / Math.max(1, result.outputTokens ?? 1));
}

export function findSteadyWindow(outcome: LoadOutcome, mode: LoadMode): SteadyWindow {
  const all = outcome.log.results().sort((a, b) => a.sentMs - b.sentMs);
  const users = mode.kind === 'concurrency' ? mode.users : 1;
  const hasRamp = users > 1 && all.length >= fewestWaves * users;
  const fromMs = hasRamp ? outcome.rampedMs : 0;
  const loaded = all.filter((result) => result.sentMs >= fromMs && result.sentMs <= outcome.loadedUntilMs);
  const measured = loaded.filter((result) => Number.isFinite(speedOf(result)));
  const steady = findSteadyState(measured.map(speedOf));
  const slower = steady.steps.filter((step) => step.ratio > 1);
  const slowedDown = slower.some((step) => step.index > measured.length / 2);
  const first = measured[steady.from]?.sentMs ?? fromMs;
  // A step in the second half is a finding, not something to cut away in silence: only slow starts are left out.
  const startMs = steady.from > 0 && steady.from <= measured.length / 2 ? first : fromMs;
  const results = loaded.filter((result) => result.sentMs >= startMs);
  const endMs = mode.kind === 'concurrency' && hasRamp ? outcome.loadedUntilMs : Math.max(outcome.loadedUntilMs, lastEnd(results));
  return {
    fromMs: Math.floor(startMs * 1000) / 1000,
    toMs: Math.ceil(endMs * 1000) / 1000,
    results,
    steps: steady.steps,
    slowedDown,
  };
}

function lastEnd(results: readonly RequestResult[]): number {
  return results.reduce((end, result) => Math.max(end, result.endedMs), 0);
}
