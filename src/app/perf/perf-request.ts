// What a caller asks of a performance run; the same for command line and library.
import type { EventListener } from '../../core/events.ts';
import type { RunRecord } from '../../core/record.ts';
import type { EngineSpeedSettings } from './engine-speed.ts';
import type { LoadMode } from './load-mode.ts';
import type { Performance } from './perf-schema.ts';
import type { Ratings } from './ratings.ts';
import type { Slo } from './slo.ts';

export type WorkloadChoice =
  | { readonly kind: 'synthetic'; readonly promptTokens: number; readonly outputTokens: number }
  | { readonly kind: 'text'; readonly name: string; readonly outputTokens: number; readonly fixedLength: boolean }
  | { readonly kind: 'dataset'; readonly name: string; readonly outputTokens: number; readonly fixedLength: boolean }
  | { readonly kind: 'trace'; readonly path: string; readonly speed: number };

export interface PerfRequest {
  readonly models: readonly string[];
  readonly adapters: readonly string[];
  /** Load points in order; empty: engine figures only. */
  readonly loads: readonly LoadMode[];
  /** Search for the highest load that meets the objective, beside the fixed points. */
  readonly search: { readonly over: 'users' | 'rate'; readonly start: number; readonly max: number } | null;
  readonly workload: WorkloadChoice;
  readonly slo: Slo | null;
  readonly ratings: Ratings;
  readonly requests: number;
  readonly maxDurationMs: number;
  readonly repetitions: number;
  readonly warmUpRounds: number;
  readonly maxInFlight: number | null;
  readonly cacheAllowed: boolean;
  /** null: no engine figures. Backends that cannot give them are passed over. */
  readonly engine: EngineSpeedSettings | null;
  readonly seed: number;
  readonly threads: number | null;
  readonly gpuLayers: number | null;
  readonly context: number | null;
  readonly requestTimeoutMs: number;
  readonly profile: boolean;
  readonly profileIntervalMs: number;
  readonly name: string | null;
  /** Folder that holds runs, or a record file. */
  readonly output: string | undefined;
  readonly offline: boolean;
  /** Two models in blocks A B B A, so that drift of the machine hits both alike. @default false */
  readonly interleave?: boolean | undefined;
  /** Measure everything anew even where an equal run is unfinished. @default false */
  readonly fresh?: boolean | undefined;
  readonly commandLine: string;
}

export interface PerfHooks {
  readonly listener: EventListener;
  readonly signal?: AbortSignal | undefined;
}

export interface PerfResult {
  readonly record: RunRecord;
  readonly performance: Performance;
  readonly folder: string;
  readonly files: readonly { readonly what: string; readonly path: string }[];
  /** 0 complete, 1 failed (no usable figure), 3 objective missed, 130 interrupted. */
  readonly exitCode: number;
}
