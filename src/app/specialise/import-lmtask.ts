// Reads the published benchmark records of LMTask (JSON) into ours: its numbers as they are, what it does not say as null.
import { z } from 'zod';
import { ToolError } from '../../core/errors.ts';
import type { Json } from '../../core/json.ts';
import type { MetricValue } from '../../core/metric.ts';
import { type BenchmarkRecord, benchmarkRecordSchema } from '../../core/specialise-record.ts';

const number = z.number().nullish();
const text = z.string().nullish();

/** Foreign data: what is needed is checked, what is more is let pass. */
export const lmtaskRecordSchema = z.looseObject({
  name: z.string(),
  task_name: z.string(),
  model_name: z.string(),
  config_file: text,
  created: z.string(),
  notes: z.array(z.string()).nullish(),
  git: z.looseObject({ commit: text, describe: text, dirty: z.boolean().nullish() }).nullish(),
  environment: z
    .looseObject({
      python: text,
      os: text,
      kernel: text,
      cuda_visible_devices: text,
      cuda_runtime: text,
      nvidia_driver: text,
      packages: z.record(z.string(), z.string().nullable()).nullish(),
      gpus: z
        .array(
          z.looseObject({ index: z.number().int(), name: z.string(), total_memory: number, peak_allocated: number, peak_reserved: number }),
        )
        .nullish(),
    })
    .nullish(),
  datasets: z
    .looseObject({
      splits: z.array(
        z.looseObject({ name: z.string(), examples: z.number().int(), class_counts: z.record(z.string(), z.number().int()).nullish() }),
      ),
    })
    .nullish(),
  training: z
    .looseObject({
      elapsed_seconds: number,
      global_step: number,
      training_loss: number,
      metrics: z.record(z.string(), z.number()).nullish(),
      result_dir: text,
      adapter_size: number,
    })
    .nullish(),
  testing: z
    .looseObject({
      test_result: z.looseObject({ prediction_col: text, raw_col: text, time_elapsed: number }).nullish(),
      predictions_file: text,
    })
    .nullish(),
  metrics: z.looseObject({
    primary: z.looseObject({ name: z.string(), value: z.number(), average: text }),
    metrics: z.array(z.looseObject({ name: z.string(), value: z.number(), average: text })),
    per_class: z
      .array(z.looseObject({ label: z.string(), precision: z.number(), recall: z.number(), f1: z.number(), support: z.number().int() }))
      .nullish(),
    invalid_count: z.number().int().nullish(),
    support: z.number().int().nullish(),
  }),
});
export type LmtaskRecord = z.infer<typeof lmtaskRecordSchema>;

/** Whether a JSON document looks like such a record. */
export function isLmtaskRecord(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'task_name' in value && 'metrics' in value && !('schema' in value);
}

function metricValue(
  value: { readonly name: string; readonly value: number; readonly average?: string | null | undefined },
  n: number,
): MetricValue {
  return {
    name: value.name,
    average: value.average ?? null,
    value: value.value,
    n,
    interval: null,
    standardError: null,
    higherIsBetter: true,
    unit: 'fraction',
    version: 'lmtask',
  };
}

function scoreOf(metrics: LmtaskRecord['metrics']): BenchmarkRecord['score'] {
  const classes = metrics.per_class ?? [];
  // Its `count` in older records adds the invalid answers a second time; the class supports alone are the rows.
  const support = classes.length > 0 ? classes.reduce((sum, one) => sum + one.support, 0) : (metrics.support ?? 0);
  const invalidCount = metrics.invalid_count ?? 0;
  return {
    primary: metricValue(metrics.primary, support),
    metrics: metrics.metrics.map((value) => metricValue(value, support)),
    perClass: classes.map(({ label, precision, recall, f1, support: rows }) => ({
      label,
      precision,
      recall,
      f1,
      support: rows,
      truePositives: Math.round(recall * rows),
      predicted: precision === 0 ? null : Math.round(Math.round(recall * rows) / precision),
    })),
    confusion: null,
    support,
    invalidCount,
    invalidReasons: {},
    coverage: support === 0 ? null : (support - invalidCount) / support,
  };
}

function environmentOf(environment: NonNullable<LmtaskRecord['environment']>): BenchmarkRecord['environment'] {
  const { python, os, kernel, packages, gpus } = environment;
  return {
    ...(python == null ? {} : { python }),
    ...(os == null ? {} : { os }),
    ...(kernel == null ? {} : { kernel }),
    cudaVisibleDevices: environment.cuda_visible_devices ?? null,
    cudaRuntime: environment.cuda_runtime ?? null,
    nvidiaDriver: environment.nvidia_driver ?? null,
    packages: Object.fromEntries(Object.entries(packages ?? {}).flatMap(([name, version]) => (version === null ? [] : [[name, version]]))),
    gpus: (gpus ?? []).map((gpu) => ({
      index: gpu.index,
      name: gpu.name,
      totalMemoryBytes: gpu.total_memory ?? null,
      driver: environment.nvidia_driver ?? null,
      peakAllocatedBytes: gpu.peak_allocated ?? null,
      peakReservedBytes: gpu.peak_reserved ?? null,
    })),
  };
}

function trainingOf(training: NonNullable<LmtaskRecord['training']>): BenchmarkRecord['training'] {
  return {
    seed: null,
    elapsedSeconds: training.elapsed_seconds ?? null,
    globalSteps: training.global_step ?? null,
    trainingLoss: training.training_loss ?? null,
    diagnostics: { ...training.metrics },
    adapterPath: training.result_dir ?? null,
    adapterDigest: null,
    adapterSizeBytes: training.adapter_size ?? null,
    lossCurve: [],
    bestStep: null,
    supervisedTokens: null,
    examples: null,
    peakRssBytes: null,
    peakGpuAllocatedBytes: null,
    peakGpuReservedBytes: null,
    alarms: [],
  };
}

/** @throws ToolError `data` naming the first member that is wrong */
export function fromLmtaskRecord(value: unknown, file = 'record'): BenchmarkRecord {
  const parsed = lmtaskRecordSchema.safeParse(value);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new ToolError('data', `${file} is not an LMTask record: ${issue.path.join('.')}: ${issue.message}`);
  }
  const record = parsed.data;
  const score = scoreOf(record.metrics);
  const splits = (record.datasets?.splits ?? []).map(({ name, examples, class_counts }) => ({
    name,
    examples,
    classCounts: class_counts ?? null,
    manifest: null,
  }));
  const result = record.testing?.test_result;
  return benchmarkRecordSchema.parse({
    schema: 'slmbench/benchmark/1',
    name: record.name,
    title: `${record.task_name} — ${record.model_name}`,
    taskName: record.task_name,
    modelName: record.model_name,
    configFile: record.config_file ?? 'unknown',
    configDigest: null,
    config: null as Json,
    created: record.created,
    notes: [...(record.notes ?? [])],
    smoke: false,
    generator: { name: 'lmtask', version: null },
    tool: {
      commit: record.git?.commit ?? null,
      describe: record.git?.describe ?? null,
      dirty: record.git?.dirty ?? null,
      diffDigest: null,
    },
    project: null,
    environment: record.environment == null ? null : environmentOf(record.environment),
    model: {
      reference: null,
      title: record.model_name,
      digest: null,
      architecture: null,
      parameters: null,
      quantisation: null,
      revision: null,
      chatTemplateDigest: null,
      adapterDigest: null,
      trainingWeights: null,
      backend: null,
    },
    task: {
      digest: null,
      version: null,
      type: score.perClass.length > 0 ? 'classification' : null,
      prompt: null,
      system: null,
      labels: score.perClass.map((one) => one.label),
      promptsDigest: null,
      generation: null as Json,
      primaryMetric: `${record.metrics.primary.name}${record.metrics.primary.average == null ? '' : `:${record.metrics.primary.average}`}`,
    },
    dataset: {
      name: record.task_name,
      source: null,
      revision: null,
      files: {},
      licence: null,
      redistributable: null,
      splitSeed: null,
      splits,
      leaks: null,
      notes: [],
    },
    training: record.training == null ? null : trainingOf(record.training),
    validation: null,
    testing: {
      examples: splits.find((split) => split.name === 'test')?.examples ?? (score.support || null),
      elapsedSeconds: result?.time_elapsed ?? null,
      predictionColumn: result?.prediction_col ?? 'prediction',
      rawColumn: result?.raw_col ?? null,
      predictionsFile: record.testing?.predictions_file ?? null,
      predictionsDigest: null,
      runId: null,
      latencyMs: null,
      promptTokens: null,
      completionTokens: null,
      finishReasons: {},
      errors: 0,
      resources: null,
    },
    score,
    baselines: [],
    pairedTests: [],
    seeds: [],
    seedSummary: null,
    stages: {},
  });
}
