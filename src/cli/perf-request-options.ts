// From the flags of `perf` to the request of the use case.
import type { EngineSpeedSettings } from '../app/perf/engine-speed.ts';
import type { LoadMode } from '../app/perf/load-mode.ts';
import type { PerfRequest, WorkloadChoice } from '../app/perf/perf-request.ts';
import { parseRatings } from '../app/perf/ratings.ts';
import { parseSlo } from '../app/perf/slo.ts';
import { ToolError } from '../core/errors.ts';
import type { PerfFlags } from './verbs/perf.ts';

function numbers(texts: readonly string[], flag: string, isWhole: boolean, low: number): number[] {
  return texts.map((text) => {
    const value = Number(text);
    if (!Number.isFinite(value) || value < low || (isWhole && !Number.isInteger(value))) {
      throw new ToolError('usage', `${flag}: "${text}" is not ${isWhole ? 'a whole number' : 'a number'} of at least ${low}`);
    }
    return value;
  });
}

function loadsOf(flags: PerfFlags): readonly LoadMode[] {
  if (flags.load === false) return [];
  const users = numbers(flags.users ?? [], '--users', true, 1).map((count): LoadMode => ({ kind: 'concurrency', users: count }));
  const rates = numbers(flags.rate ?? [], '--rate', false, 0.0001).map(
    (requestsPerSecond): LoadMode =>
      flags.arrivals === 'constant' ? { kind: 'constant', requestsPerSecond } : { kind: 'poisson', requestsPerSecond, seed: flags.seed },
  );
  const loads = [...users, ...rates];
  return loads.length > 0 || flags.search !== undefined ? loads : [{ kind: 'concurrency', users: 1 }];
}

function workloadOf(flags: PerfFlags): WorkloadChoice {
  const chosen = [flags.trace, flags.text, flags.dataset].filter((value) => value !== undefined);
  if (chosen.length > 1) throw new ToolError('usage', 'a load test takes one of --trace, --text and --dataset');
  const { outputTokens, fixedLength = false } = flags;
  if (flags.trace !== undefined) return { kind: 'trace', path: flags.trace, speed: flags.traceSpeed };
  if (flags.text !== undefined) return { kind: 'text', name: flags.text, outputTokens, fixedLength };
  if (flags.dataset !== undefined) return { kind: 'dataset', name: flags.dataset, outputTokens, fixedLength };
  return { kind: 'synthetic', promptTokens: flags.promptTokens, outputTokens };
}

function engineOf(flags: PerfFlags): EngineSpeedSettings | null {
  if (flags.engine === false) return null;
  return {
    promptTokens: 512,
    generatedTokens: 128,
    depths: numbers(flags.depths ?? ['0', '4096'], '--depths', true, 0),
    repetitions: flags.engineRepetitions,
    threads: numbers(flags.threadSweep ?? [], '--thread-sweep', true, 1),
    batches: numbers(flags.batchSweep ?? [], '--batch-sweep', true, 1),
    maxFillMs: 120_000,
  };
}

/** @throws ToolError `usage` for flags that contradict each other */
export function toPerfRequest(flags: PerfFlags, commandLine: string): PerfRequest {
  const slo = flags.slo === undefined ? null : parseSlo(flags.slo);
  if (flags.search !== undefined && slo === null)
    throw new ToolError('usage', '--search needs an objective', { hint: 'e.g. --slo ttft=500ms,p=95' });
  return {
    models: flags.models ?? [],
    adapters: flags.adapter ?? [],
    loads: loadsOf(flags),
    search: flags.search === undefined ? null : { over: flags.search, start: flags.searchStart ?? 1, max: flags.searchMax },
    workload: workloadOf(flags),
    slo,
    ratings: parseRatings(flags.rating ?? []),
    requests: flags.requests,
    maxDurationMs: flags.duration * 1000,
    repetitions: flags.repetitions,
    warmUpRounds: flags.warmUp,
    maxInFlight: flags.maxInFlight ?? null,
    cacheAllowed: flags.allowCache === true,
    engine: engineOf(flags),
    seed: flags.seed,
    threads: flags.threads ?? null,
    gpuLayers: flags.gpuLayers ?? null,
    context: flags.context ?? null,
    requestTimeoutMs: flags.timeout * 1000,
    profile: flags.profile !== false,
    profileIntervalMs: flags.profileInterval,
    name: flags.name ?? null,
    output: flags.output,
    offline: flags.offline === true,
    fresh: flags.fresh === true,
    commandLine,
  };
}
