// Measures the resources of a model's own processes.
import type { ResourceSummary } from '../record.ts';

export interface ResourceSample {
  /** Monotonic ms from the start of metering. */
  readonly atMs: number;
  readonly rssBytes: number | null;
  readonly pssBytes?: number | null | undefined;
  readonly cpuPercent: number | null;
  readonly threads?: number | null | undefined;
  readonly gpuMemoryBytes: number | null;
  readonly gpuUtilisationPercent: number | null;
  readonly powerWatts?: number | null | undefined;
  /** Page faults that had to read from disk, since the processes began. */
  readonly majorFaults?: number | null | undefined;
}

export interface MeterSession {
  /** Idle baseline, average and peak so far, without ending the session. */
  readonly summary: () => ResourceSummary;
  readonly samples: () => readonly ResourceSample[];
  readonly stop: () => Promise<ResourceSummary>;
}

export interface Meter {
  /** `processIds` is asked again at each sample, so a restarted engine is followed. */
  readonly start: (processIds: () => readonly number[], options?: { readonly intervalMs?: number }) => Promise<MeterSession>;
}
