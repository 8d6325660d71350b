// The recipe of an evaluation run: what `-m`, `-d` and the other flags say, as a file.
import { z } from 'zod';
import { generationSettingsSchema } from '../core/generation.ts';
import { modelEntrySchema } from '../core/model.ts';

const modelUseSchema = z.union([
  z.string(),
  z.strictObject({
    reference: z.string(),
    key: z.string().optional(),
    adapters: z.array(z.strictObject({ path: z.string(), scale: z.number().default(1) })).default([]),
    chat: z.boolean().optional(),
    system: z.string().optional(),
  }),
]);

const taskUseSchema = z.union([
  z.string(),
  z.strictObject({
    name: z.string(),
    shots: z.number().int().nonnegative().optional(),
    samples: z.number().int().positive().optional(),
  }),
]);

/** Settings that decide how a run is made; the same names as the flags. */
export const runSettingsSchema = z.strictObject({
  samples: z.number().int().positive().optional(),
  limit: z.number().int().positive().optional(),
  seed: z.number().int().nonnegative().default(42),
  repeats: z.number().int().positive().default(1),
  protocol: z.enum(['native', 'lm-eval']).default('native'),
  shots: z.number().int().nonnegative().optional(),
  chat: z.boolean().optional(),
  system: z.string().optional(),
  // The engine holds no more (GGML_MAX_N_THREADS).
  threads: z.number().int().positive().max(512).optional(),
  gpuLayers: z.number().int().nonnegative().optional(),
  context: z.number().int().positive().optional(),
  concurrency: z.number().int().positive().optional(),
  maxErrorRate: z.number().min(0).max(1).default(0),
  cache: z.enum(['off', 'read', 'refresh']).default('off'),
  deterministic: z.boolean().default(false),
  profile: z.boolean().default(true),
  profileIntervalMs: z.number().int().min(10).default(100),
  overflow: z.enum(['error', 'refuse']).default('error'),
  timeoutMs: z.number().int().positive().default(600_000),
});
export type RunSettings = z.infer<typeof runSettingsSchema>;

export const runRecipeSchema = z.strictObject({
  schema: z.literal('slmbench/recipe/1').default('slmbench/recipe/1'),
  name: z.string().optional(),
  models: z.array(modelUseSchema).default([]),
  tasks: z.array(taskUseSchema).default([]),
  run: runSettingsSchema.prefault({}),
  generation: generationSettingsSchema.partial().prefault({}),
  /** Files that export the user's own metrics, relative to this file. */
  metricFiles: z.array(z.string()).default([]),
  /** Models that grade answers, for tasks with a `judge`; they replace the judges a task names. */
  judges: z.array(z.string().min(1)).min(1).optional(),
});
export type RunRecipe = z.infer<typeof runRecipeSchema>;

/** The project file `slmbench.config.(yaml|ts)`: the user's own models and defaults. */
export const projectConfigSchema = z.strictObject({
  models: z
    .array(
      modelEntrySchema.partial({ provider: true, parameters: true, quantisation: true, contextLength: true, licence: true, title: true }),
    )
    .default([]),
  tasks: z.array(z.string()).default([]),
  metrics: z.array(z.string()).default([]),
  runs: z.string().optional(),
  cache: z.string().optional(),
});
export type ProjectConfig = z.infer<typeof projectConfigSchema>;
