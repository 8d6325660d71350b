// What can be asked of the trainer: base weights, text pairs, folders and settings. Names as in a recipe's `training` block.
import { z } from 'zod';
import { ToolError } from '../core/errors.ts';

const exampleSchema = z.strictObject({
  id: z.string(),
  /** Prompt text exactly as it is served, chat template applied. */
  prompt: z.string().min(1),
  /** The answer with the end-of-turn marker. */
  completion: z.string(),
  /**
   * The prompt in pieces, where data in it may look like control tokens: those are parsed in `template` pieces only.
   * @default one `template` piece
   */
  promptParts: z.array(z.strictObject({ kind: z.enum(['template', 'data']), text: z.string() })).optional(),
  /** Token ids that the serving engine makes of the prompt: training refuses a prompt that becomes other ids. */
  servedTokens: z.array(z.number().int().nonnegative()).optional(),
});

export const baseWeightsSchema = z.strictObject({
  /** `gguf` is dequantised once into the cache; `directory` is a folder in the layout of the Hugging Face hub. */
  kind: z.enum(['gguf', 'directory']),
  path: z.string().min(1),
  /** sha256 of the GGUF, or of the folder's weight files: written into the adapter and checked wherever it is used. */
  digest: z.string().regex(/^[0-9a-f]{64}$/u),
  /** Name written into the adapter. @default the file's base name */
  name: z.string().optional(),
});
export type BaseWeights = z.infer<typeof baseWeightsSchema>;

export const loraSettingsSchema = z.strictObject({
  rank: z.number().int().positive().default(8),
  alpha: z.number().positive().default(16),
  dropout: z.number().min(0).lt(1).default(0),
  bias: z.enum(['none', 'all', 'lora_only']).default('none'),
  /** Names of linear layers, or all but the output head. */
  targetModules: z.union([z.literal('all-linear'), z.array(z.string().min(1)).min(1)]).default('all-linear'),
  rsLora: z.boolean().default(false),
  dora: z.boolean().default(false),
});

export const trainerSettingsSchema = z.strictObject({
  /** `plain`: our deterministic loop; `trl`: SFTTrainer. */
  trainer: z.enum(['plain', 'trl']).default('plain'),
  lora: loraSettingsSchema.prefault({}),
  /** Base weights in 4 or 8 bit (QLoRA): NVIDIA GPUs only. */
  quantisation: z.enum(['none', '8bit', '4bit']).default('none'),
  /** Of the frozen base; LoRA weights are float32 always. */
  dtype: z.enum(['bfloat16', 'float16', 'float32']).default('bfloat16'),
  learningRate: z.number().positive().default(5e-4),
  schedule: z.enum(['cosine', 'linear', 'constant']).default('cosine'),
  warmupRatio: z.number().min(0).max(1).default(0.03),
  weightDecay: z.number().min(0).default(0),
  maxGradientNorm: z.number().positive().default(1),
  epochs: z.number().positive().default(1),
  /** Wins over `epochs`. */
  maxSteps: z.number().int().positive().optional(),
  /** Rows per gradient; `gradientAccumulation` of these make one step. */
  batchSize: z.number().int().positive().default(8),
  /** Rows computed at once, at most. @default as many as fit into `microBatchTokens` */
  microBatchSize: z.number().int().positive().optional(),
  /** Padded tokens computed at once: peak memory follows this, not the batch size. */
  microBatchTokens: z.number().int().positive().default(512),
  gradientAccumulation: z.number().int().positive().default(1),
  gradientCheckpointing: z.boolean().default(false),
  /** Longer examples are left out and counted: a cut would remove the answer. */
  maxLength: z.number().int().positive().default(1024),
  loggingSteps: z.number().int().positive().default(1),
  /** Steps between validations. @default at the end of each epoch */
  validationSteps: z.number().int().positive().optional(),
  checkpointSteps: z.number().int().positive().default(50),
  /** Validations without a better loss before training ends. */
  earlyStopping: z.number().int().positive().optional(),
  threads: z.number().int().positive().optional(),
  /** Settings of `accelerate launch`, by its own names (`num_processes: 2`). */
  launch: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
});
export type TrainerSettings = z.infer<typeof trainerSettingsSchema>;

export const trainingRequestSchema = z.strictObject({
  base: baseWeightsSchema,
  examples: z.array(exampleSchema),
  validation: z.array(exampleSchema).default([]),
  /** Becomes the PEFT folder; complete or absent. */
  adapterFolder: z.string().min(1),
  checkpointFolder: z.string().min(1),
  seed: z
    .number()
    .int()
    .nonnegative()
    .max(2 ** 31 - 1)
    .default(0),
  settings: trainerSettingsSchema.prefault({}),
});
export type TrainingRequest = z.infer<typeof trainingRequestSchema>;
export type TrainingRequestInput = z.input<typeof trainingRequestSchema>;

/** @throws ToolError `config` that names the field; `data` without examples */
export function parseTrainingRequest(request: unknown): TrainingRequest {
  const parsed = trainingRequestSchema.safeParse(request);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new ToolError('config', `training request: ${issue.path.join('.') || 'request'}: ${issue.message}`, { cause: parsed.error });
  }
  const { examples, settings } = parsed.data;
  if (examples.length === 0) throw new ToolError('data', 'there is no example to train on', { hint: 'the training split is empty' });
  if (settings.trainer === 'trl' && settings.launch !== undefined)
    throw new ToolError('unsupported', 'training.launch works with the plain trainer only', { hint: 'remove trainer: trl' });
  return parsed.data;
}
