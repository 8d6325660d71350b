// Warm-up until the speed is level: rounds of requests like the measured ones, until three rounds agree or patience ends.
import { quantile } from '../../stats/quantile.ts';
import { generateLoad, type LoadPhase } from './generate-load.ts';
import type { WarmUpFacts } from './perf-schema.ts';

/** Medians of three rounds in a row that differ by less than this share are level. */
const levelWithin = 0.1;
export const roundsInAgreement = 3;

export interface WarmUpLimits {
  readonly maxRounds: number;
  readonly maxDurationMs: number;
}

export async function warmUp(
  phase: Omit<LoadPhase, 'mode' | 'maxRequests' | 'maxDurationMs'>,
  users: number,
  limits: WarmUpLimits,
): Promise<WarmUpFacts> {
  const roundsMs: number[] = [];
  const startMs = performance.now();
  const perRound = Math.max(1, users);
  let requests = 0;
  const isLevel = (): boolean => {
    const recent = roundsMs.slice(-roundsInAgreement);
    return recent.length === roundsInAgreement && Math.max(...recent) <= Math.min(...recent) * (1 + levelWithin);
  };
  while (
    roundsMs.length < limits.maxRounds &&
    performance.now() - startMs < limits.maxDurationMs &&
    !isLevel() &&
    phase.signal?.aborted !== true
  ) {
    const offset = requests;
    const outcome = await generateLoad({
      ...phase,
      requestAt: (index) => phase.requestAt(offset + index),
      mode: { kind: 'concurrency', users },
      maxRequests: perRound,
      maxDurationMs: limits.maxDurationMs,
    });
    requests += outcome.log.length;
    const durations = outcome.log
      .results()
      .filter((result) => result.error === null)
      .map((result) => result.e2eMs ?? result.endedMs - result.sentMs);
    const median = quantile(Float64Array.from(durations).sort(), 0.5);
    // A model that answers no warm-up request will not answer measured ones either; that shows there, with its errors.
    if (median === null) break;
    roundsMs.push(median);
  }
  return { requests, roundsMs, stable: isLevel() };
}
