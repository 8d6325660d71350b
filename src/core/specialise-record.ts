// The benchmark record of a specialised model: training, held-out test, baselines and provenance in one versioned JSON document.
import { z } from 'zod';
import { classResultSchema, intervalSchema, metricValueSchema } from './metric.ts';
import { environmentSchema, gitSchema, quantileSummarySchema, resourceSummarySchema } from './record.ts';

const json = z.json();
const counts = z.record(z.string(), z.number().int());

/** Where and with what one stage ran; a reused stage keeps the provenance of its own run. */
export const stageProvenanceSchema = z.strictObject({
  fingerprint: z.string(),
  finished: z.string(),
  /** Wall time of the stage, s. */
  elapsedSeconds: z.number().nullable(),
  tool: z.strictObject({ name: z.string(), version: z.string(), git: gitSchema }),
  /** The user's own working tree; null outside one. */
  project: gitSchema.nullable(),
  environment: environmentSchema,
  command: z.string(),
});
export type StageProvenance = z.infer<typeof stageProvenanceSchema>;

export const lossPointSchema = z.strictObject({ step: z.number().int(), loss: z.number(), kind: z.enum(['train', 'validation']) });

export const trainingBlockSchema = z.strictObject({
  /** null where the record does not say. */
  seed: z.number().int().nullable(),
  elapsedSeconds: z.number().nullable(),
  globalSteps: z.number().int().nullable(),
  trainingLoss: z.number().nullable(),
  /** Trainer's own figures, as it names them. */
  diagnostics: z.record(z.string(), z.number()),
  adapterPath: z.string().nullable(),
  adapterDigest: z.string().nullable(),
  /** Adapter payload only, bytes. */
  adapterSizeBytes: z.number().int().nullable(),
  lossCurve: z.array(lossPointSchema),
  bestStep: z.number().int().nullable(),
  supervisedTokens: z.number().int().nullable(),
  examples: z.number().int().nullable(),
  peakRssBytes: z.number().nullable(),
  peakGpuAllocatedBytes: z.number().nullable(),
  peakGpuReservedBytes: z.number().nullable(),
  alarms: z.array(z.string()),
});
export type TrainingBlock = z.infer<typeof trainingBlockSchema>;

/** Statistics on validation rows, seen while training: never held-out figures. */
export const validationBlockSchema = z.strictObject({
  split: z.string(),
  examples: z.number().int(),
  bestLoss: z.number().nullable(),
  bestStep: z.number().int().nullable(),
  lastLoss: z.number().nullable(),
});

export const testingBlockSchema = z.strictObject({
  examples: z.number().int().nullable(),
  elapsedSeconds: z.number().nullable(),
  predictionColumn: z.string(),
  rawColumn: z.string().nullable(),
  predictionsFile: z.string().nullable(),
  predictionsDigest: z.string().nullable(),
  runId: z.string().nullable(),
  latencyMs: quantileSummarySchema.nullable(),
  promptTokens: z.number().nullable(),
  completionTokens: z.number().nullable(),
  finishReasons: counts,
  errors: z.number().int(),
  resources: resourceSummarySchema.nullable(),
});
export type TestingBlock = z.infer<typeof testingBlockSchema>;

export const scoreBlockSchema = z.strictObject({
  /** null where a task has no such metric or no data. */
  primary: metricValueSchema.nullable(),
  metrics: z.array(metricValueSchema),
  perClass: z.array(classResultSchema.extend({ predicted: z.number().int().nullable(), truePositives: z.number().int().nullable() })),
  confusion: z.strictObject({ labels: z.array(z.string()), counts: z.array(z.array(z.number().int())) }).nullable(),
  /** Rows that the scores rest on. */
  support: z.number().int(),
  invalidCount: z.number().int(),
  invalidReasons: counts,
  /** Valid predictions / rows. */
  coverage: z.number().nullable(),
});
export type ScoreBlock = z.infer<typeof scoreBlockSchema>;

export const pairedTestSchema = z.strictObject({
  baseline: z.string(),
  n: z.number().int(),
  /** Specialist minus baseline, mean of the per-row score of the primary metric. */
  difference: z.number().nullable(),
  interval: intervalSchema.nullable(),
  p: z.number().nullable(),
  /** Holm over all paired tests of this record. */
  adjustedP: z.number().nullable(),
  test: z.string(),
  onlySpecialist: z.number().int().nullable(),
  onlyBaseline: z.number().int().nullable(),
});
export type PairedTest = z.infer<typeof pairedTestSchema>;

export const baselineSchema = z.strictObject({
  kind: z.enum(['majority-class', 'zero-shot', 'few-shot']),
  title: z.string(),
  shots: z.number().int().nullable(),
  label: z.string().nullable(),
  score: scoreBlockSchema,
  testing: testingBlockSchema.nullable(),
  provenance: stageProvenanceSchema.nullable(),
});
export type Baseline = z.infer<typeof baselineSchema>;

export const seedResultSchema = z.strictObject({
  seed: z.number().int(),
  training: trainingBlockSchema,
  testing: testingBlockSchema,
  score: scoreBlockSchema,
  pairedTests: z.array(pairedTestSchema),
});

/** One way to serve the specialist, tested on the held-out rows: a fault of merging, quantising or the template shows here. */
export const exportVariantSchema = z.strictObject({
  /** `base model`, `adapter on the base model`, `merged F16`... */
  title: z.string(),
  /** Quantisation of a merged file. */
  type: z.string().nullable(),
  /** sha256 of the model file, or of the adapter. */
  digest: z.string().nullable(),
  score: scoreBlockSchema,
  testing: testingBlockSchema,
  /** Merged file minus adapter on the base, on the same rows. */
  againstAdapter: pairedTestSchema.nullable(),
  flags: z.array(z.enum(['export_regression'])),
});
export type ExportVariant = z.infer<typeof exportVariantSchema>;

export const seedSummarySchema = z.strictObject({
  metric: z.string(),
  average: z.string().nullable(),
  n: z.number().int(),
  mean: z.number().nullable(),
  /** Sample standard deviation (n - 1); null below two seeds. */
  sd: z.number().nullable(),
  min: z.number().nullable(),
  max: z.number().nullable(),
  /** Student t interval of the mean over seeds. */
  interval: intervalSchema.nullable(),
});

export const leakBlockSchema = z.strictObject({
  exact: z.number().int(),
  near: z.number().int(),
  nearThreshold: z.number(),
  /** At most 50 pairs. */
  pairs: z.array(
    z.strictObject({
      kind: z.enum(['exact', 'near']),
      left: z.strictObject({ split: z.string(), id: z.string() }),
      right: z.strictObject({ split: z.string(), id: z.string() }),
      similarity: z.number(),
    }),
  ),
  /** Held-out rows taken out because of a leak. */
  removed: z.array(z.string()),
});

export const datasetBlockSchema = z.strictObject({
  name: z.string(),
  source: z.string().nullable(),
  revision: z.string().nullable(),
  files: z.record(z.string(), z.string()),
  licence: z.string().nullable(),
  redistributable: z.boolean().nullable(),
  splitSeed: z.number().int().nullable(),
  splits: z.array(
    z.strictObject({
      name: z.string(),
      examples: z.number().int(),
      classCounts: counts.nullable(),
      /** sha256 over the ordered row ids. */
      manifest: z.string().nullable(),
    }),
  ),
  leaks: leakBlockSchema.nullable(),
  notes: z.array(z.string()),
});
export type DatasetBlock = z.infer<typeof datasetBlockSchema>;

export const modelBlockSchema = z.strictObject({
  reference: z.string().nullable(),
  title: z.string(),
  digest: z.string().nullable(),
  architecture: z.string().nullable(),
  parameters: z.number().nullable(),
  quantisation: z.string().nullable(),
  revision: z.string().nullable(),
  chatTemplateDigest: z.string().nullable(),
  adapterDigest: z.string().nullable(),
  /** What training started from, where it is not the served file. */
  trainingWeights: z.string().nullable(),
  backend: z.string().nullable(),
});

export const benchmarkRecordSchema = z.strictObject({
  schema: z.literal('slmbench/benchmark/1'),
  name: z.string(),
  title: z.string(),
  taskName: z.string(),
  modelName: z.string(),
  configFile: z.string(),
  /** sha256 of the resolved recipe; null for imported records. */
  configDigest: z.string().nullable(),
  /** The resolved recipe. */
  config: json,
  created: z.string(),
  notes: z.array(z.string()),
  /** A prefix of the data or too few steps: cannot be published. */
  smoke: z.boolean(),
  generator: z.strictObject({ name: z.string(), version: z.string().nullable() }),
  tool: gitSchema,
  project: gitSchema.nullable(),
  environment: environmentSchema.partial().nullable(),
  model: modelBlockSchema,
  task: z.strictObject({
    digest: z.string().nullable(),
    version: z.string().nullable(),
    type: z.string().nullable(),
    prompt: z.string().nullable(),
    system: z.string().nullable(),
    labels: z.array(z.string()),
    /** sha256 over all prompts of the test rows as sent. */
    promptsDigest: z.string().nullable(),
    generation: json,
    primaryMetric: z.string(),
  }),
  dataset: datasetBlockSchema,
  training: trainingBlockSchema.nullable(),
  validation: validationBlockSchema.nullable(),
  testing: testingBlockSchema,
  score: scoreBlockSchema,
  baselines: z.array(baselineSchema),
  pairedTests: z.array(pairedTestSchema),
  seeds: z.array(seedResultSchema),
  seedSummary: seedSummarySchema.nullable(),
  /** Base, adapter and merged files side by side, where `export --compare` has tested them. */
  exports: z.array(exportVariantSchema).optional(),
  stages: z.record(z.string(), stageProvenanceSchema),
});
export type BenchmarkRecord = z.infer<typeof benchmarkRecordSchema>;
