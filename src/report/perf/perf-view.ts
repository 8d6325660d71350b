// What the performance tables need of a `performance` block; the block itself has its schema in the app room.
import type { Interval } from '../../core/metric.ts';
import type { ResourceSummary, Validity } from '../../core/record.ts';

export interface MetricView {
  readonly n: number;
  readonly mean: number | null;
  readonly sd: number | null;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly p99: number | null;
  readonly max: number | null;
  readonly weak: readonly string[];
  readonly unit: string;
  readonly missing: number;
  readonly p50Interval: Interval | null;
  readonly p95Interval: Interval | null;
  readonly meanInterval: Interval | null;
  readonly rating: string | null;
  readonly notes: readonly string[];
}

export interface RateView {
  readonly value: number | null;
  readonly unit: string;
  readonly n: number;
  readonly interval: Interval | null;
  readonly notes: readonly string[];
}

export interface TokenCountsView {
  readonly promptTokens: number | null;
  readonly generatedTokens: number | null;
  readonly requests: number | null;
}

export interface PointView {
  readonly label: string;
  readonly requests: { readonly sent: number; readonly steady: number; readonly failed: number; readonly empty: number };
  readonly metrics: Readonly<Record<string, MetricView>>;
  readonly rates: Readonly<Record<string, RateView>>;
  readonly slo: {
    readonly objective: string;
    readonly good: number;
    readonly bad: number;
    readonly undetermined: number;
    readonly attained: boolean;
  } | null;
  readonly resources: ResourceSummary | null;
  readonly energyPerOutputTokenJoules: number | null;
  /** What the server's own counters say beside what arrived. */
  readonly serverCounts: { readonly server: TokenCountsView; readonly client: TokenCountsView } | null | undefined;
  readonly client: { readonly sendLagP99Ms: number | null; readonly cpuPercent: number };
  readonly validity: Validity;
}

export interface EngineRowView {
  readonly test: string;
  readonly depth: number;
  readonly threads: number | null;
  readonly batch: number | null;
  readonly tokensPerSecond: MetricView;
}

export interface SubjectView {
  readonly model: string;
  readonly backend: string;
  readonly loadMs: number | null;
  readonly loadWarm: boolean | null;
  readonly peakRssBytes: number | null;
  readonly workload: {
    readonly kind: string;
    readonly name: string;
    readonly digest: string;
    readonly uniquePrefix: boolean;
    readonly fixedLength: boolean;
  } | null;
  readonly points: readonly PointView[];
  readonly engine: readonly EngineRowView[];
  readonly sloCapacity: { readonly label: string; readonly goodputPerSecond: number | null; readonly tried: number } | null;
  readonly validity: Validity;
}

export interface PerformanceView {
  readonly order: string;
  readonly repetitions: number;
  readonly subjects: readonly SubjectView[];
}

/** The block of a record, checked by the room that writes it: here only its version is asked. */
export function performanceViewOf(block: unknown): PerformanceView | null {
  const isKnown = typeof block === 'object' && block !== null && (block as { schema?: unknown }).schema === 'slmbench/performance/1';
  return isKnown ? (block as PerformanceView) : null;
}
