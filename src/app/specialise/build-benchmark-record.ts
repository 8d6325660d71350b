// Builds the benchmark record from the result files of the stages: every number has one source.
import { relative } from 'node:path';
import { z } from 'zod';
import type { Json } from '../../core/json.ts';
import type { Environment, RunRecord } from '../../core/record.ts';
import {
  type Baseline,
  type BenchmarkRecord,
  benchmarkRecordSchema,
  type ExportVariant,
  seedSummarySchema,
  type TestingBlock,
  type TrainingBlock,
} from '../../core/specialise-record.ts';
import { readPackageFacts } from '../session-origin.ts';
import type { HeldOutSet, TestedRun } from './held-out-set.ts';
import { benchmarkName } from './load-recipe.ts';
import type { ScoredSet } from './score-stage.ts';
import type { ScoringSession } from './session.ts';

export interface RecordInput {
  readonly session: ScoringSession;
  readonly runs: HeldOutSet;
  readonly scored: ScoredSet;
  /** Run record of the first run. */
  readonly runRecord: RunRecord;
  readonly predictions: { readonly file: string; readonly digest: string };
  readonly exports: readonly ExportVariant[];
}

function validationOf(session: ScoringSession, training: TrainingBlock | null): BenchmarkRecord['validation'] {
  const examples = session.data.splits.validation.length;
  if (training === null || examples === 0) return null;
  const points = training.lossCurve.filter((point) => point.kind === 'validation');
  const best = points.toSorted((a, b) => a.loss - b.loss)[0];
  return {
    split: 'validation',
    examples,
    bestLoss: best?.loss ?? null,
    bestStep: training.bestStep ?? best?.step ?? null,
    lastLoss: points.at(-1)?.loss ?? null,
  };
}

function baselinesOf({ runs, scored }: RecordInput): Baseline[] {
  return scored.scores.baselines.map(({ title, label, score }): Baseline => {
    const run = runs.find((one) => one.title === title);
    if (run === undefined) return { kind: 'majority-class', title, shots: null, label, score, testing: null, provenance: null };
    const kind = run.kind === 'few-shot' ? 'few-shot' : 'zero-shot';
    return { kind, title, shots: run.shots, label: null, score, testing: run.testing, provenance: run.stage.provenance };
  });
}

function seedsOf({ runs, scored }: RecordInput): BenchmarkRecord['seeds'] {
  if (scored.scores.seeds.length < 2) return [];
  return scored.scores.seeds.map(({ seed, score, pairedTests }) => {
    const run = runs.find((one) => one.seed === seed)!;
    return { seed, training: run.training!.block, testing: run.testing, score, pairedTests: [...pairedTests] };
  });
}

function stagesOf({ runs, scored }: RecordInput): BenchmarkRecord['stages'] {
  const entries = runs.flatMap((run: TestedRun) => [
    ...(run.training === null ? [] : [[`train (seed ${run.seed})`, run.training.stage.provenance] as const]),
    [run.title, run.stage.provenance] as const,
  ]);
  return Object.fromEntries([...entries, ['score', scored.stage.provenance] as const]);
}

function modelOf({ session, runs, runRecord }: RecordInput): BenchmarkRecord['model'] {
  const planned = runRecord.models[0]!;
  const { facts } = planned;
  return {
    reference: planned.reference,
    title: session.recipe.model.title ?? planned.title,
    digest: facts.digest,
    architecture: facts.architecture,
    parameters: facts.parameters,
    quantisation: facts.quantisation,
    revision: facts.revision,
    chatTemplateDigest: facts.chatTemplateDigest,
    adapterDigest: runs[0].training?.block.adapterDigest ?? null,
    trainingWeights: session.recipe.model.weights ?? null,
    backend: planned.backend,
  };
}

function testingOf(testing: TestingBlock, { predictions }: RecordInput): TestingBlock {
  return { ...testing, predictionsFile: relative(process.cwd(), predictions.file), predictionsDigest: predictions.digest };
}

/** Peak GPU memory of the training, on the device that trained: the first that is visible. */
function gpusOf(environment: Environment, training: TrainingBlock | null): Environment['gpus'] {
  return environment.gpus.map((gpu, index) =>
    index > 0 || training === null
      ? gpu
      : {
          ...gpu,
          peakAllocatedBytes: training.peakGpuAllocatedBytes ?? gpu.peakAllocatedBytes,
          peakReservedBytes: training.peakGpuReservedBytes ?? gpu.peakReservedBytes,
        },
  );
}

/** The record; it says nothing that a stage file, the recipe or the data do not say. */
export function buildBenchmarkRecord(input: RecordInput): BenchmarkRecord {
  const { session, runs, scored, runRecord } = input;
  const { recipe, loaded, data, definition } = session;
  const [subject] = runs;
  const training = subject.training?.block ?? null;
  const { provenance } = subject.stage;
  const packages = (subject.training?.stage.result as { packages?: Record<string, string> } | undefined)?.packages ?? {};
  const environment = subject.training?.stage.provenance.environment ?? provenance.environment;
  const notes = [...recipe.notes, ...(training?.alarms ?? []).map((alarm) => `training alarm: ${alarm}`)];
  return benchmarkRecordSchema.parse({
    schema: 'slmbench/benchmark/1',
    name: benchmarkName(recipe),
    title: recipe.title ?? `${data.block.name} — ${recipe.model.title ?? runRecord.models[0]!.title}`,
    taskName: recipe.task.name,
    modelName: recipe.model.name,
    configFile: relative(process.cwd(), loaded.file) || loaded.file,
    configDigest: loaded.digest,
    config: z.json().parse(JSON.parse(JSON.stringify(recipe))) as Json,
    created: new Date().toISOString(),
    notes,
    smoke: data.smoke,
    generator: { name: 'slmbench', version: readPackageFacts().version },
    tool: provenance.tool.git,
    project: provenance.project,
    environment: { ...environment, gpus: gpusOf(environment, training), packages: { ...environment.packages, ...packages } },
    model: modelOf(input),
    task: {
      digest: scored.task.digest,
      version: definition.version,
      type: definition.type,
      prompt: definition.prompt,
      system: definition.system ?? null,
      labels: [...(scored.task.labels ?? [])],
      promptsDigest: String((subject.stage.inputs as Record<string, unknown>)['prompts'] ?? ''),
      generation: recipe.generation as Json,
      primaryMetric: definition.primaryMetric,
    },
    dataset: data.block,
    training,
    validation: validationOf(session, training),
    testing: testingOf(subject.testing, input),
    score: scored.scores.subject,
    baselines: baselinesOf(input),
    pairedTests: [...scored.scores.pairedTests],
    seeds: seedsOf(input),
    seedSummary: scored.scores.seedSummary === null ? null : seedSummarySchema.parse(scored.scores.seedSummary),
    ...(input.exports.length === 0 ? {} : { exports: [...input.exports] }),
    stages: stagesOf(input),
  });
}
