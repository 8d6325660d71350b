// The recipe of a specialised model: dataset and splits, task, base model, training, test and baselines; the same names as in docs/specialise.md.
import { z } from 'zod';
import { generationSettingsSchema } from '../core/generation.ts';
import { taskTypes } from '../core/task.ts';

type Bare<Schema> = Schema extends z.ZodDefault<infer Inner> ? Inner : Schema;
type BareShape<Shape> = { [Key in keyof Shape]: z.ZodOptional<Bare<Shape[Key]> & z.ZodType> };

/** What a recipe leaves unsaid stays unsaid: the task's own settings then hold. */
function withoutDefaults<const Shape extends z.ZodRawShape>(shape: Shape): BareShape<Shape> {
  return Object.fromEntries(
    Object.entries(shape).map(([key, schema]) => [key, z.optional(schema instanceof z.ZodDefault ? schema.unwrap() : schema)]),
  ) as BareShape<Shape>;
}

const name = z.string().regex(/^[a-z0-9][a-z0-9._-]*$/u, 'lower-case letters, digits, ".", "_" and "-"');
const splitSize = z.union([z.literal('rest'), z.number().positive()]);

const datasetSchema = z.strictObject({
  /** Folder name under the output folder. */
  name,
  title: z.string().optional(),
  /** Dataset name, file or folder, `hf:owner/repo`, `https:`, `pypi:`. */
  source: z.string().min(1),
  format: z.enum(['jsonl', 'json', 'csv', 'parquet', 'arrow', 'text', 'labelled-lines']).optional(),
  encoding: z.string().optional(),
  /** Leave out rows that cannot be read, each named in the record. */
  skipBadRows: z.boolean().default(false),
  /** The part of the source that `split` divides. @default its only split, or `train` */
  part: z.string().optional(),
  steps: z.array(z.json()).default([]),
  /** Divides one part into splits. */
  split: z
    .strictObject({
      by: z.string().optional(),
      seed: z.number().int().nonnegative().default(0),
      sizes: z.strictObject({ train: splitSize, validation: splitSize.optional(), test: splitSize }),
      sameBy: z.array(z.string()).optional(),
    })
    .optional(),
  /** Splits that the source has itself: role -> its name there. */
  splits: z.strictObject({ train: z.string(), validation: z.string().optional(), test: z.string() }).optional(),
  /** Column that names the class, for counts and majority baseline. */
  label: z.string().default('label'),
  /** For data of the user's own; a named dataset knows its licence. */
  licence: z.strictObject({ name: z.string(), redistributable: z.boolean() }).optional(),
  leaks: z
    .strictObject({
      columns: z.array(z.string()).optional(),
      nearThreshold: z.number().gt(0).max(1).default(0.8),
      /** `warn` reports, `remove` takes the rows out of the held-out splits, `fail` stops. */
      policy: z.enum(['warn', 'remove', 'fail']).default('warn'),
    })
    .prefault({}),
});

const modelSchema = z.strictObject({
  name,
  title: z.string().optional(),
  /** What answers: registry name, GGUF file, hub file, `transformers:` folder. */
  base: z.string().min(1),
  /** What is trained, where it is not the served file: a folder, `hf:owner/repo`, or a GGUF. */
  weights: z.string().optional(),
  chat: z.boolean().optional(),
});

const metricSchema = z.union([z.string(), z.strictObject({ name: z.string(), options: z.record(z.string(), z.json()).optional() })]);

const taskSchema = z.strictObject({
  name,
  title: z.string(),
  description: z.string().default(''),
  version: z.string().default('1'),
  type: z.enum(taskTypes),
  /** `generate` writes the answer; `choose` compares the log-probabilities of the labels. */
  kind: z.enum(['generate', 'choose']).default('generate'),
  system: z.string().optional(),
  /** Jinja template over the columns of a row: the user's turn, in training and in use. */
  prompt: z.string().min(1),
  /** Jinja template of the answer. @default the label */
  target: z.string().optional(),
  labels: z.array(z.string().min(1)).min(1).optional(),
  aliases: z.record(z.string(), z.array(z.string())).optional(),
  /** Column of the gold label. @default the dataset's label column */
  labelColumn: z.string().optional(),
  references: z.union([z.string(), z.array(z.string())]).optional(),
  parser: z.record(z.string(), z.json()).optional(),
  extra: z.record(z.string(), z.string()).optional(),
  metrics: z.array(metricSchema).min(1).optional(),
  primaryMetric: z.string().optional(),
  stop: z.array(z.string().min(1)).default([]),
});

export const trainingSettingsSchema = z.strictObject({
  /** `plain`: deterministic loop; `trl`: SFTTrainer. */
  trainer: z.enum(['plain', 'trl']).default('plain'),
  lora: z
    .strictObject({
      rank: z.number().int().positive().default(8),
      alpha: z.number().positive().default(16),
      dropout: z.number().min(0).lt(1).default(0),
      bias: z.enum(['none', 'all', 'lora_only']).default('none'),
      targetModules: z.union([z.literal('all-linear'), z.array(z.string().min(1)).min(1)]).default('all-linear'),
      rsLora: z.boolean().default(false),
      dora: z.boolean().default(false),
    })
    .prefault({}),
  quantisation: z.enum(['none', '8bit', '4bit']).default('none'),
  dtype: z.enum(['bfloat16', 'float16', 'float32']).default('bfloat16'),
  learningRate: z.number().positive().default(5e-4),
  schedule: z.enum(['cosine', 'linear', 'constant']).default('cosine'),
  warmupRatio: z.number().min(0).max(1).default(0.03),
  weightDecay: z.number().min(0).default(0),
  maxGradientNorm: z.number().positive().default(1),
  epochs: z.number().positive().default(1),
  /** Wins over `epochs`. */
  maxSteps: z.number().int().positive().optional(),
  batchSize: z.number().int().positive().default(8),
  /** Rows computed at once, at most. */
  microBatchSize: z.number().int().positive().optional(),
  /** Padded tokens computed at once: peak memory follows this. @default the trainer's own */
  microBatchTokens: z.number().int().positive().optional(),
  gradientAccumulation: z.number().int().positive().default(1),
  gradientCheckpointing: z.boolean().default(false),
  maxLength: z.number().int().positive().default(1024),
  loggingSteps: z.number().int().positive().default(5),
  validationSteps: z.number().int().positive().optional(),
  checkpointSteps: z.number().int().positive().default(50),
  /** Validations without a better loss before training ends. */
  earlyStopping: z.number().int().positive().optional(),
  threads: z.number().int().positive().optional(),
  /** Settings of `accelerate launch`, by its own names. */
  launch: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});
export type TrainingSettings = z.infer<typeof trainingSettingsSchema>;

const testSchema = z.strictObject({
  threads: z.number().int().positive().optional(),
  gpuLayers: z.number().int().nonnegative().optional(),
  context: z.number().int().positive().optional(),
  concurrency: z.number().int().positive().optional(),
  maxErrorRate: z.number().min(0).max(1).default(0),
  deterministic: z.boolean().default(false),
  timeoutMs: z.number().int().positive().default(600_000),
  seed: z.number().int().nonnegative().default(42),
});

export const specialiseRecipeSchema = z.strictObject({
  schema: z.literal('slmbench/specialise/1').default('slmbench/specialise/1'),
  /** @default `<task>_<model>` */
  name: z.string().optional(),
  title: z.string().optional(),
  notes: z.array(z.string()).default([]),
  /** Folder that holds `<dataset>/<model>/`, relative to the current folder. */
  output: z.string().default('data'),
  dataset: datasetSchema,
  model: modelSchema,
  task: taskSchema,
  generation: z.strictObject(withoutDefaults(generationSettingsSchema.shape)).prefault({}),
  /** false: evaluate the base model only. */
  training: z.union([z.literal(false), trainingSettingsSchema]).default(() => trainingSettingsSchema.parse({})),
  seeds: z.array(z.number().int().nonnegative()).min(1).default([0]),
  test: testSchema.prefault({}),
  baselines: z
    .strictObject({
      majorityClass: z.boolean().default(true),
      zeroShot: z.boolean().default(true),
      /** Shots from the training split; 0 leaves it out. */
      fewShot: z.number().int().nonnegative().default(3),
    })
    .prefault({}),
});
export type SpecialiseRecipe = z.infer<typeof specialiseRecipeSchema>;
export type SpecialiseRecipeInput = z.input<typeof specialiseRecipeSchema>;

/** Typed recipe for a TypeScript file: `export default defineRecipe({ ... })`. */
export function defineRecipe(recipe: SpecialiseRecipeInput): SpecialiseRecipeInput {
  return recipe;
}
