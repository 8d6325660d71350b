// The record: versioned JSON, the single source of truth. Every table, chart and report is rendered from records.
import { z } from 'zod';
import { metricDetailsSchema, metricValueSchema } from './metric.ts';
import { plannedModelSchema, plannedTaskSchema } from './plan.ts';
import { quickParser } from './quick-parse.ts';

export const quantileSummarySchema = z.strictObject({
  n: z.number().int(),
  mean: z.number().nullable(),
  /** Sample standard deviation (n - 1). */
  sd: z.number().nullable(),
  min: z.number().nullable(),
  p50: z.number().nullable(),
  p90: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
  max: z.number().nullable(),
  /** Quantile definition: `type-7` (Hyndman and Fan 1996). */
  method: z.literal('type-7'),
  /** Percentiles that rest on too few samples (n < 64 / 130 / 662 for p90 / p95 / p99). */
  weak: z.array(z.string()),
});
export type QuantileSummary = z.infer<typeof quantileSummarySchema>;

export const resourceSummarySchema = z.strictObject({
  samples: z.number().int(),
  intervalMs: z.number(),
  idleRssBytes: z.number().nullable(),
  meanRssBytes: z.number().nullable(),
  peakRssBytes: z.number().nullable(),
  /** The kernel's own high-water mark of the process, where it tells. */
  kernelPeakRssBytes: z.number().nullable(),
  meanCpuPercent: z.number().nullable(),
  peakCpuPercent: z.number().nullable(),
  peakGpuMemoryBytes: z.number().nullable(),
  meanGpuUtilisationPercent: z.number().nullable(),
  energyJoules: z.number().nullable(),
  /** Name of the counter, or `not available`. */
  energySource: z.string(),
  /** Share of one CPU that sampling itself used. */
  overheadCpuPercent: z.number().nullable(),
});
export type ResourceSummary = z.infer<typeof resourceSummarySchema>;

export const outcomeCountsSchema = z.strictObject({
  total: z.number().int(),
  scored: z.number().int(),
  invalid: z.number().int(),
  error: z.number().int(),
  skipped: z.number().int(),
  /** Planned samples that have no row (partial run). */
  missing: z.number().int(),
  truncated: z.number().int(),
  fresh: z.number().int(),
  cached: z.number().int(),
  invalidReasons: z.record(z.string(), z.number().int()),
  errorClasses: z.record(z.string(), z.number().int()),
  extractedBy: z.record(z.string(), z.number().int()),
  finishReasons: z.record(z.string(), z.number().int()),
});
export type OutcomeCounts = z.infer<typeof outcomeCountsSchema>;

export const speedSchema = z.strictObject({
  /** Rows that timing rests on (origin `fresh` only). */
  n: z.number().int(),
  latencyMs: quantileSummarySchema,
  ttftMs: quantileSummarySchema,
  ttfaMs: quantileSummarySchema,
  tpotMs: quantileSummarySchema,
  /** Total tokens / total time, never a mean of rates. */
  prefillTokensPerSecond: z.number().nullable(),
  decodeTokensPerSecond: z.number().nullable(),
  samplesPerSecond: z.number().nullable(),
  promptTokens: z.number().nullable(),
  completionTokens: z.number().nullable(),
  cachedTokens: z.number().nullable(),
  computedTokens: z.number().nullable(),
  concurrency: z.number().int().nullable(),
});
export type Speed = z.infer<typeof speedSchema>;

export const validitySchema = z.strictObject({
  verdict: z.enum(['valid', 'suspect', 'invalid']),
  reasons: z.array(z.strictObject({ code: z.string(), message: z.string() })),
});
export type Validity = z.infer<typeof validitySchema>;

export const metricBlockSchema = z.strictObject({
  values: z.array(metricValueSchema),
  details: z.record(z.string(), metricDetailsSchema),
});

/** One model on one task. */
export const resultSchema = z.strictObject({
  model: z.string(),
  task: z.string(),
  counts: outcomeCountsSchema,
  /** The task's primary metric, looked up in `metrics`. */
  primary: metricValueSchema.nullable(),
  metrics: metricBlockSchema,
  /** Metric values by category. */
  categories: z.array(z.strictObject({ category: z.string(), n: z.number().int(), values: z.array(metricValueSchema) })),
  speed: speedSchema,
  resources: resourceSummarySchema.nullable(),
  validity: validitySchema,
  startedAt: z.string().nullable(),
  finishedAt: z.string().nullable(),
});
export type ResultEntry = z.infer<typeof resultSchema>;

/** A group of tasks (mmlu) with its weighting named. */
export const groupResultSchema = z.strictObject({
  group: z.string(),
  model: z.string(),
  tasks: z.array(z.string()),
  weighting: z.enum(['documents', 'tasks']),
  value: metricValueSchema,
});

export const gpuSchema = z.strictObject({
  index: z.number().int(),
  name: z.string(),
  totalMemoryBytes: z.number().nullable(),
  driver: z.string().nullable(),
  peakAllocatedBytes: z.number().nullable(),
  peakReservedBytes: z.number().nullable(),
});

export const environmentSchema = z.strictObject({
  os: z.string(),
  kernel: z.string(),
  architecture: z.string(),
  node: z.string(),
  python: z.string().nullable(),
  cpuModel: z.string().nullable(),
  physicalCores: z.number().int().nullable(),
  logicalCores: z.number().int().nullable(),
  cpuFeatures: z.array(z.string()),
  ramBytes: z.number().nullable(),
  gpus: z.array(gpuSchema),
  cudaVisibleDevices: z.string().nullable(),
  cudaRuntime: z.string().nullable(),
  nvidiaDriver: z.string().nullable(),
  virtualised: z.boolean().nullable(),
  container: z.boolean().nullable(),
  loadAverage: z.number().nullable(),
  packages: z.record(z.string(), z.string()),
});
export type Environment = z.infer<typeof environmentSchema>;

export const gitSchema = z.strictObject({
  commit: z.string().nullable(),
  describe: z.string().nullable(),
  dirty: z.boolean().nullable(),
  /** sha256 of `git diff HEAD` when dirty. */
  diffDigest: z.string().nullable(),
});

export const modelRunSchema = z.strictObject({
  model: z.string(),
  loadMs: z.number().nullable(),
  loadWarm: z.boolean().nullable(),
  restarts: z.number().int(),
  backend: z.strictObject({
    kind: z.string(),
    name: z.string(),
    version: z.string().nullable(),
    build: z.string().nullable(),
    settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  }),
  resources: resourceSummarySchema.nullable(),
});

export const runRecordSchema = z.strictObject({
  schema: z.literal('slmbench/record/1'),
  id: z.string(),
  name: z.string(),
  status: z.enum(['complete', 'partial', 'failed']),
  /** A prefix (--limit) or otherwise unpublishable run. */
  smoke: z.boolean(),
  created: z.string(),
  finished: z.string(),
  durationMs: z.number(),
  notes: z.array(z.string()),
  tool: z.strictObject({ name: z.literal('slmbench'), version: z.string(), git: gitSchema }),
  /** The user's own working tree. */
  project: gitSchema.nullable(),
  /** Command that reproduces the run. */
  command: z.string(),
  planDigest: z.string(),
  settings: z.strictObject({
    seed: z.number().int(),
    repeats: z.number().int(),
    protocol: z.enum(['native', 'lm-eval']),
    deterministic: z.boolean(),
    cache: z.enum(['off', 'read', 'refresh']),
    maxErrorRate: z.number(),
    concurrency: z.number().int().nullable(),
    overflow: z.enum(['error', 'refuse']),
    system: z.string().nullable(),
  }),
  models: z.array(plannedModelSchema),
  tasks: z.array(plannedTaskSchema),
  modelRuns: z.array(modelRunSchema),
  results: z.array(resultSchema),
  groups: z.array(groupResultSchema),
  environment: environmentSchema,
  /** Specialisation: stages, splits and training (issue: specialise). Loose here, strict in its own schema. */
  specialise: z.record(z.string(), z.json()).optional(),
  /** Load tests, quantisation sweeps: optional blocks with their own schemas. */
  performance: z.record(z.string(), z.json()).optional(),
  quantisation: z.record(z.string(), z.json()).optional(),
  /** sha256 of journal and predictions as they were when the record was made. */
  artifacts: z.record(z.string(), z.string()),
});
export type RunRecord = z.infer<typeof runRecordSchema>;
/** `runRecordSchema.parse` for values from `JSON.parse`. */
export const parseRunRecord: (value: unknown) => RunRecord = quickParser(runRecordSchema);
