// The `performance` block of a record: its shape, checked when it is written and when it is read.
import { z } from 'zod';
import { intervalSchema } from '../../core/metric.ts';
import { quantileSummarySchema, resourceSummarySchema, validitySchema } from '../../core/record.ts';

export const perfMetricSchema = z.strictObject({
  ...quantileSummarySchema.shape,
  unit: z.string(),
  better: z.enum(['lower', 'higher']),
  /** Requests of the window that have no such value. */
  missing: z.number().int(),
  p50Interval: intervalSchema.nullable(),
  p95Interval: intervalSchema.nullable(),
  meanInterval: intervalSchema.nullable(),
  /** `good`, `fair` or `poor` by the rating limits, of the median. */
  rating: z.string().nullable(),
  /** What stands behind the value where that is not plain. */
  notes: z.array(z.string()),
});
export type PerfMetric = z.infer<typeof perfMetricSchema>;

/** One number that stands for a whole window (a throughput, a share). */
export const perfRateSchema = z.strictObject({
  value: z.number().nullable(),
  unit: z.string(),
  better: z.enum(['lower', 'higher']),
  n: z.number().int(),
  interval: intervalSchema.nullable(),
  notes: z.array(z.string()),
});
export type PerfRate = z.infer<typeof perfRateSchema>;

export const loadModeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('concurrency'), users: z.number().int().positive() }),
  z.strictObject({ kind: z.literal('constant'), requestsPerSecond: z.number().positive() }),
  z.strictObject({ kind: z.literal('poisson'), requestsPerSecond: z.number().positive(), seed: z.number().int() }),
  z.strictObject({ kind: z.literal('trace'), offsetsMs: z.array(z.number()) }),
]);

export const workloadFactsSchema = z.strictObject({
  kind: z.enum(['synthetic', 'text', 'dataset', 'trace']),
  name: z.string(),
  /** sha256 over all prompts without their nonces. */
  digest: z.string(),
  prompts: z.number().int(),
  promptTokens: z.number().int().nullable(),
  outputTokens: z.number().int(),
  /** True: each prompt begins with text that no earlier request had. */
  uniquePrefix: z.boolean(),
  /** True: answers are generated to the limit, past end tokens, where the backend can. */
  fixedLength: z.boolean(),
});
export type WorkloadFacts = z.infer<typeof workloadFactsSchema>;

export const clientFactsSchema = z.strictObject({
  /** CPU of this process during the phase, percent of one core. */
  cpuPercent: z.number(),
  loopLagMs: z.strictObject({ p50: z.number(), p99: z.number(), max: z.number() }),
  /** How late requests were sent, open loop only. */
  sendLagP99Ms: z.number().nullable(),
  chunksPerSecond: z.number().nullable(),
  /** Share of the ceiling that `perf calibrate` found, where it was run. */
  ceilingShare: z.number().nullable(),
});
export type ClientFacts = z.infer<typeof clientFactsSchema>;

export const hostFactsSchema = z.strictObject({
  /** Cores used by others than the model and this process; null where it cannot be told. */
  foreignCores: z.number().nullable(),
  /** Share of time taken by other guests of the same machine. */
  stealShare: z.number().nullable(),
  cores: z.number().int(),
  /** Change of the wall clock against the monotonic one, ms. */
  clockStepMs: z.number(),
  /** Thermal throttle events that the kernel counted; null where it does not. */
  throttleEvents: z.number().int().nullable(),
});
export type HostFacts = z.infer<typeof hostFactsSchema>;

export const warmUpSchema = z.strictObject({
  requests: z.number().int(),
  /** Median duration of each round, ms. */
  roundsMs: z.array(z.number()),
  stable: z.boolean(),
});
export type WarmUpFacts = z.infer<typeof warmUpSchema>;

const tokenCountsSchema = z.strictObject({
  /** Prompt tokens that were computed (those from a cache left out, where the server leaves them out too). */
  promptTokens: z.number().nullable(),
  generatedTokens: z.number().nullable(),
  requests: z.number().nullable(),
});

export const serverCountsSchema = z.strictObject({
  /** What the server's own counters (`/metrics`) rose by during the measured phases. */
  server: tokenCountsSchema,
  /** The same by the answers that arrived here. */
  client: tokenCountsSchema,
});
export type ServerCounts = z.infer<typeof serverCountsSchema>;

export const loadPointSchema = z.strictObject({
  load: loadModeSchema,
  label: z.string(),
  warmUp: warmUpSchema,
  /** Requests of all repetitions, and those in the steady windows. */
  requests: z.strictObject({ sent: z.number().int(), steady: z.number().int(), failed: z.number().int(), empty: z.number().int() }),
  windows: z.array(z.strictObject({ fromMs: z.number(), toMs: z.number(), durationMs: z.number(), steps: z.number().int() })),
  metrics: z.record(z.string(), perfMetricSchema),
  rates: z.record(z.string(), perfRateSchema),
  errorClasses: z.record(z.string(), z.number().int()),
  finishReasons: z.record(z.string(), z.number().int()),
  slo: z
    .strictObject({
      objective: z.string(),
      good: z.number().int(),
      bad: z.number().int(),
      undetermined: z.number().int(),
      attained: z.boolean(),
    })
    .nullable(),
  client: clientFactsSchema,
  host: hostFactsSchema,
  /** null where the server publishes no counters. */
  serverCounts: serverCountsSchema.nullable().default(null),
  resources: resourceSummarySchema.nullable(),
  energyPerOutputTokenJoules: z.number().nullable(),
  validity: validitySchema,
});
export type LoadPoint = z.infer<typeof loadPointSchema>;

export const engineSpeedSchema = z.strictObject({
  /** `pp512`, `tg128`. */
  test: z.string(),
  depth: z.number().int(),
  threads: z.number().int().nullable(),
  batch: z.number().int().nullable(),
  tokensPerSecond: perfMetricSchema,
  runs: z.array(z.number()),
});
export type EngineSpeed = z.infer<typeof engineSpeedSchema>;

export const perfSubjectSchema = z.strictObject({
  model: z.string(),
  backend: z.string(),
  loadMs: z.number().nullable(),
  loadWarm: z.boolean().nullable(),
  peakRssBytes: z.number().nullable(),
  workload: workloadFactsSchema.nullable(),
  points: z.array(loadPointSchema),
  engine: z.array(engineSpeedSchema),
  /** Highest load that met the objective; null when none did or none was searched. */
  sloCapacity: z
    .strictObject({ load: loadModeSchema, label: z.string(), goodputPerSecond: z.number().nullable(), tried: z.number().int() })
    .nullable(),
  validity: validitySchema,
});
export type PerfSubject = z.infer<typeof perfSubjectSchema>;

export const performanceSchema = z.strictObject({
  schema: z.literal('slmbench/performance/1'),
  /** Order in which subjects ran: one after the other, or `ABBA` blocks. */
  order: z.string(),
  repetitions: z.number().int(),
  subjects: z.array(perfSubjectSchema),
});
export type Performance = z.infer<typeof performanceSchema>;
