// The plan: everything resolved before anything runs. Its digest is the identity of a run.
import { z } from 'zod';
import { generationSettingsSchema } from './generation.ts';
import { modelFactsSchema } from './model.ts';
import { taskTypes } from './task.ts';

export const plannedModelSchema = z.strictObject({
  /** Unique in the run; also the name in tables. */
  key: z.string(),
  /** As the user wrote it, secrets redacted. */
  reference: z.string(),
  title: z.string(),
  backend: z.string(),
  facts: modelFactsSchema,
  /** Settings handed to the backend. */
  settings: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  estimatedMemoryBytes: z.number().nullable(),
  notes: z.array(z.string()),
});
export type PlannedModel = z.infer<typeof plannedModelSchema>;

export const plannedTaskSchema = z.strictObject({
  key: z.string(),
  name: z.string(),
  version: z.string(),
  title: z.string(),
  kind: z.enum(['choose', 'choose-letter', 'generate', 'perplexity']),
  type: z.enum(taskTypes),
  protocol: z.enum(['native', 'lm-eval']),
  groups: z.array(z.string()),
  digest: z.string(),
  primaryMetric: z.string(),
  metrics: z.array(z.strictObject({ name: z.string(), options: z.record(z.string(), z.json()).optional() })),
  graders: z.array(z.string()),
  labels: z.array(z.string()).optional(),
  fewShotIds: z.array(z.string()),
  dataset: z.strictObject({
    name: z.string(),
    split: z.string(),
    source: z.string(),
    revision: z.string().nullable(),
    files: z.record(z.string(), z.string()),
    licence: z.string(),
    redistributable: z.boolean(),
    /** Manifest of the whole split before sampling. */
    splitManifest: z.string(),
    splitSize: z.number().int(),
    notes: z.array(z.string()),
  }),
  /** Ids that will be evaluated, in order. */
  sampleIds: z.array(z.string()),
  /** sha256 over the ordered ids. */
  manifest: z.string(),
  /** `all`, `sample` (seeded, -n) or `prefix` (--limit, a smoke run). */
  selection: z.enum(['all', 'sample', 'prefix']),
  generation: generationSettingsSchema,
});
export type PlannedTask = z.infer<typeof plannedTaskSchema>;

export const runPlanSchema = z.strictObject({
  schema: z.literal('slmbench/plan/1'),
  /** sha256 of the canonical JSON of all that follows, host facts and notes left out. */
  digest: z.string(),
  models: z.array(plannedModelSchema),
  tasks: z.array(plannedTaskSchema),
  seed: z.number().int(),
  repeats: z.number().int().positive(),
  protocol: z.enum(['native', 'lm-eval']),
  deterministic: z.boolean(),
  cache: z.enum(['off', 'read', 'refresh']),
  maxErrorRate: z.number(),
  concurrency: z.number().int().nullable(),
  /** Prompt longer than the context: an `error` outcome, or refuse the run. */
  overflow: z.enum(['error', 'refuse']),
  profile: z.boolean(),
  smoke: z.boolean(),
  system: z.string().nullable(),
  shard: z.strictObject({ index: z.number().int(), count: z.number().int() }).nullable(),
  /** What a performance run measures (loads, workload, objective...); absent in evaluations. */
  performance: z.record(z.string(), z.json()).optional(),
});
export type RunPlan = z.infer<typeof runPlanSchema>;
