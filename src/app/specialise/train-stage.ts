// The training stage: pairs from the training split, an adapter from the trainer, and the result file that makes it reusable.
import { readFile, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { TrainingSettings } from '../../config/specialise-recipe.ts';
import { digestOf } from '../../core/digest.ts';
import { ToolError } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { Trainer, TrainingOutcome, TrainingProgress } from '../../core/ports/trainer.ts';
import { type TrainingBlock, trainingBlockSchema } from '../../core/specialise-record.ts';
import { digestFile } from '../../sources/file-digest.ts';
import type { SeedLayout } from './layout.ts';
import { bindRecipeTask } from './recipe-task.ts';
import type { SpecialiseSession } from './session.ts';
import { decideStage, type StageFile, writeJson, writeStageFile } from './stage.ts';
import { type ServedExample, trainingExamples } from './training-examples.ts';
import { type TrainingWeights, toTrainingRequest, trainingWeightsOf } from './training-request.ts';

/** Raise when what training does with the same inputs changes. */
const code = 'train/1';
const adapterFile = 'adapter_model.safetensors';

export interface TrainedAdapter {
  readonly seed: number;
  readonly folder: string;
  readonly digest: string;
  readonly training: TrainingBlock;
  readonly stage: StageFile;
  readonly reused: boolean;
}

interface Pairs {
  readonly train: readonly ServedExample[];
  readonly validation: readonly ServedExample[];
}

function pairsOf({ definition, data, context, format, recipe }: SpecialiseSession): Pairs {
  const make = (rows: SpecialiseSession['data']['splits']['train']) =>
    trainingExamples({ definition, task: bindRecipeTask(definition, rows, recipe.test.seed), rows, context, format });
  return { train: make(data.splits.train), validation: data.splits.validation.length === 0 ? [] : make(data.splits.validation) };
}

/** What decides an adapter. The examples hold prompt, labels, chat template and data; the rest says what in them changed. */
function inputsOf(session: SpecialiseSession, seed: number, pairs: Pairs, weights: TrainingWeights): JsonObject {
  const { recipe, definition, data, format } = session;
  const { threads: _, loggingSteps: __, checkpointSteps: ___, ...settings } = recipe.training as TrainingSettings;
  return {
    code,
    weights: weights.digest,
    settings: settings as unknown as JsonObject,
    seed,
    task: { prompt: definition.prompt, system: definition.system ?? null, target: definition.target ?? null },
    chatTemplate: format.digest,
    data: { train: data.digests.train, validation: data.digests.validation },
    examples: digestOf(pairs.train),
    validationExamples: digestOf(pairs.validation),
  };
}

async function adapterProblem(layout: SeedLayout, file: StageFile): Promise<string | null> {
  const recorded = file.outputs[adapterFile];
  try {
    const { sha256 } = await digestFile(join(layout.adapter, adapterFile), { cacheDirectory: null });
    return sha256 === recorded ? null : 'the adapter file is not the one that was trained';
  } catch {
    return 'the adapter is missing';
  }
}

function blockOf(outcome: TrainingOutcome, seed: number, examples: number, alarms: readonly string[], folder: string): TrainingBlock {
  return trainingBlockSchema.parse({
    seed,
    elapsedSeconds: outcome.elapsedSeconds,
    globalSteps: outcome.globalSteps,
    trainingLoss: outcome.trainingLoss,
    diagnostics: { ...outcome.diagnostics },
    adapterPath: relative(process.cwd(), folder),
    adapterDigest: outcome.adapterDigest,
    adapterSizeBytes: outcome.adapterSizeBytes,
    lossCurve: outcome.lossCurve.map((point) => ({ ...point })),
    bestStep: outcome.bestStep,
    supervisedTokens: outcome.supervisedTokens,
    examples,
    peakRssBytes: outcome.peakRssBytes,
    peakGpuAllocatedBytes: outcome.peakGpuAllocatedBytes,
    peakGpuReservedBytes: outcome.peakGpuReservedBytes,
    alarms: [...alarms],
  });
}

function listen(session: SpecialiseSession, alarms: string[]): (progress: TrainingProgress) => void {
  const { listener } = session.options;
  return (progress) => {
    if (progress.kind === 'alarm' && progress.message !== undefined) alarms.push(progress.message);
    listener?.({ kind: 'training', at: new Date().toISOString(), progress });
  };
}

async function train(
  session: SpecialiseSession,
  trainer: Trainer,
  layout: SeedLayout,
  inputs: JsonObject,
  pairs: Pairs,
): Promise<StageFile> {
  const startedMs = performance.now();
  const alarms: string[] = [];
  const request = await toTrainingRequest(session, layout, pairs.train, pairs.validation);
  const { signal } = session.options;
  const outcome = await trainer.train(request, { onProgress: listen(session, alarms), ...(signal === undefined ? {} : { signal }) });
  if (outcome.supervisedTokens === 0)
    throw new ToolError('data', 'training had no token to learn: every answer was cut off', { hint: 'raise training.maxLength' });
  const { sha256 } = await digestFile(join(layout.adapter, adapterFile), { cacheDirectory: null });
  const training = blockOf(outcome, layout.seed, pairs.train.length, alarms, layout.adapter);
  return writeStageFile(layout.trainResult, {
    stage: 'train',
    inputs,
    outputs: { [adapterFile]: sha256 },
    result: { training: { ...training, adapterDigest: sha256 }, packages: { ...outcome.packages } } as unknown as Json,
    startedMs,
    command: session.commandLine,
  });
}

/** Keeps checkpoints that were made from the same inputs: training goes on from them. */
async function clearLeftovers(layout: SeedLayout, inputs: JsonObject, forced: boolean): Promise<void> {
  // A result file must never speak of another adapter, also when this training is killed half-way.
  await rm(layout.trainResult, { force: true });
  await rm(layout.adapter, { recursive: true, force: true });
  const marker = join(layout.checkpoints, 'training-inputs.json');
  const made = await readFile(marker, 'utf8').catch(() => null);
  const fingerprint = digestOf(inputs);
  if (!forced && made !== null && made.includes(fingerprint)) return;
  await rm(layout.checkpoints, { recursive: true, force: true });
  await writeJson(marker, { fingerprint, inputs });
}

/** Trains the adapter of one seed unless a valid one is there. */
export async function trainStage(session: SpecialiseSession, seed: number, openTrainer: () => Promise<Trainer>): Promise<TrainedAdapter> {
  const layout = session.layout.forSeed(seed);
  const pairs = pairsOf(session);
  const inputs = inputsOf(session, seed, pairs, await trainingWeightsOf(session));
  const decision = await decideStage({
    title: `train seed ${seed}`,
    path: layout.trainResult,
    inputs,
    forced: session.isForced('train'),
    checkOutputs: (file) => adapterProblem(layout, file),
  });
  session.note(`train (seed ${seed}): ${decision.kind === 'reuse' ? 'reused' : 'runs'}: ${decision.reason}`);
  let stage: StageFile;
  if (decision.kind === 'reuse') stage = decision.file;
  else {
    await clearLeftovers(layout, inputs, decision.reason === 'forced');
    stage = await train(session, await openTrainer(), layout, inputs, pairs);
  }
  const { training } = stage.result as unknown as { training: TrainingBlock };
  return { seed, folder: layout.adapter, digest: stage.outputs[adapterFile]!, training, stage, reused: decision.kind === 'reuse' };
}
