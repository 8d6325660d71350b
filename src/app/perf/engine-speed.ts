// Raw speed of the embedded engine as llama-bench gives it: pp512 and tg128 at several depths, thread counts and batch sizes.
import type { Backend, BackendOptions } from '../../core/ports/backend.ts';
import { isFirstRunOutlier } from '../../stats/trend.ts';
import type { EngineSpeed } from './perf-schema.ts';
import { perfMetric } from './request-metrics.ts';

export interface EngineSpeedSettings {
  readonly promptTokens: number;
  readonly generatedTokens: number;
  readonly depths: readonly number[];
  readonly repetitions: number;
  /** Thread counts beside the default one. */
  readonly threads: readonly number[];
  /** Batch sizes beside the default one. */
  readonly batches: readonly number[];
  /** Repetitions at a depth are cut so that filling the context takes no longer than this. */
  readonly maxFillMs: number;
}

/** `batchTokens` is a setting of the llama engine beyond the common ones. */
export type EngineOptions = BackendOptions & { readonly batchTokens?: number | undefined };

export interface EngineSpeedInput {
  readonly settings: EngineSpeedSettings;
  readonly trainedContext: number | null;
  readonly base: EngineOptions;
  readonly open: (options: EngineOptions) => Promise<Backend>;
  readonly close: (backend: Backend) => Promise<void>;
  readonly onNote: (message: string) => void;
  /** Keeps the figures of each setting once they are whole, and gives back those of an earlier session. */
  readonly kept?: {
    readonly find: (setting: string) => EngineSpeed[] | null;
    readonly keep: (setting: string, rows: EngineSpeed[]) => Promise<void>;
  };
  readonly signal?: AbortSignal | undefined;
}

interface Variant {
  readonly threads: number | null;
  readonly batch: number | null;
  readonly depths: readonly number[];
}

function contextFor(settings: EngineSpeedSettings, depths: readonly number[]): number {
  return Math.max(...depths) + Math.max(settings.promptTokens, settings.generatedTokens);
}

export async function measureEngineSpeed(input: EngineSpeedInput): Promise<EngineSpeed[]> {
  const { settings, trainedContext } = input;
  const depths = settings.depths.filter((depth) => {
    const fits = trainedContext === null || contextFor(settings, [depth]) <= trainedContext;
    if (!fits) input.onNote(`depth ${depth} is left out: the model was trained on ${trainedContext} tokens`);
    return fits;
  });
  const variants: Variant[] = [
    ...(depths.length > 0 ? [{ threads: null, batch: null, depths }] : []),
    ...settings.threads.map((threads) => ({ threads, batch: null, depths: [0] })),
    ...settings.batches.map((batch) => ({ threads: null, batch, depths: [0] })),
  ];
  const speeds: EngineSpeed[] = [];
  const isStopped = (): boolean => input.signal?.aborted === true;
  for (const variant of variants) {
    if (isStopped()) break;
    const setting = JSON.stringify(variant);
    const kept = input.kept?.find(setting) ?? null;
    const rows = kept ?? (await measureVariant(input, variant));
    if (kept === null && !isStopped()) await input.kept?.keep(setting, rows);
    speeds.push(...rows);
  }
  return speeds;
}

async function measureVariant(input: EngineSpeedInput, variant: Variant): Promise<EngineSpeed[]> {
  const { settings } = input;
  const backend = await input.open({
    ...input.base,
    contextTokens: contextFor(settings, variant.depths),
    ...(variant.threads === null ? {} : { threads: variant.threads }),
    ...(variant.batch === null ? {} : { batchTokens: variant.batch }),
  });
  const threads = numberOf(backend.identity.settings['threads']);
  const batch = numberOf(backend.identity.settings['batchTokens']);
  const speeds: EngineSpeed[] = [];
  let prefillRate: number | null = null;
  try {
    for (const depth of variant.depths) {
      const repetitions = repetitionsAt(settings, depth, prefillRate);
      const { promptTokens, generatedTokens } = settings;
      const result = await backend.bench({ promptTokens, generatedTokens, depth, repetitions }, { signal: input.signal });
      const add = (test: string, runs: readonly number[]): void => {
        if (runs.length > 0) speeds.push(speedOf(test, depth, threads, batch, runs));
      };
      add(`pp${promptTokens}`, result.prefillTokensPerSecond);
      add(`tg${generatedTokens}`, result.decodeTokensPerSecond);
      prefillRate ??= result.prefillTokensPerSecond[0] ?? null;
    }
  } finally {
    await input.close(backend);
  }
  return speeds;
}

function repetitionsAt(settings: EngineSpeedSettings, depth: number, prefillRate: number | null): number {
  if (depth === 0 || prefillRate === null) return settings.repetitions;
  const fillMs = (2 * depth * 1000) / prefillRate;
  return Math.max(1, Math.min(settings.repetitions, Math.floor(settings.maxFillMs / fillMs)));
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function speedOf(test: string, depth: number, threads: number | null, batch: number | null, runs: readonly number[]): EngineSpeed {
  // Slowness is what marks a cold run, so the test looks at durations, not at rates.
  const isCold = isFirstRunOutlier(runs.map((rate) => 1 / rate)) === true;
  const kept = isCold ? runs.slice(1) : runs;
  const notes = isCold ? ['the first repetition was an outlier and is left out'] : [];
  return {
    test,
    depth,
    threads,
    batch,
    tokensPerSecond: perfMetric(kept, { unit: 'tok/s', better: 'higher', missing: runs.length - kept.length, notes }),
    runs: [...runs],
  };
}
