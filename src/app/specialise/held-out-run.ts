// One run over the held-out rows through the path of `slmbench run`: batched, journalled row by row, resumed after a kill.
import { join } from 'node:path';
import { digestOf } from '../../core/digest.ts';
import { ToolError } from '../../core/errors.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import type { RunRecord } from '../../core/record.ts';
import { type TestingBlock, testingBlockSchema } from '../../core/specialise-record.ts';
import { bindTask } from '../../tasks/bind-task.ts';
import { finalRows } from '../canonical.ts';
import { evaluateRequest } from '../evaluate-request.ts';
import { digestArtifactOf, openRun } from '../open-run.ts';
import type { SpecialiseSession } from './session.ts';
import { decideStage, type StageFile, writeStageFile } from './stage.ts';

/** Raise when what a run does with the same inputs changes. */
const code = 'test/1';
const predictionsFile = 'predictions.jsonl';

export interface HeldOutPlan {
  /** `test (seed 0)`, `baseline zero-shot`. */
  readonly title: string;
  readonly resultFile: string;
  readonly adapter: { readonly folder: string; readonly digest: string } | null;
  readonly shots: number;
}

export interface HeldOutResult {
  readonly stage: StageFile;
  readonly testing: TestingBlock;
  readonly rows: readonly PredictionRow[];
  readonly reused: boolean;
}

/** sha256 over everything that is sent for the test rows. */
export function promptsDigest({ definition, data, recipe, context }: SpecialiseSession, shots: number): string {
  const task = bindTask(definition, {
    rows: data.splits.test,
    fewShotRows: shots === 0 ? undefined : data.splits.train,
    protocol: 'native',
    shots,
    seed: recipe.test.seed,
  });
  return digestOf(data.splits.test.map((row) => [row.id, task.prepare(row, context).request]));
}

function inputsOf(session: SpecialiseSession, plan: HeldOutPlan): JsonObject {
  const { model, recipe, format, data, definition, context } = session;
  const { context: contextTokens, gpuLayers, deterministic, seed } = recipe.test;
  return {
    code,
    model: model.facts.digest ?? model.reference,
    backend: model.backendKind,
    adapter: plan.adapter?.digest ?? null,
    chatTemplate: format.digest,
    chat: context.chat,
    task: { prompt: definition.prompt, system: definition.system ?? null, kind: definition.kind },
    generation: recipe.generation as unknown as JsonObject,
    settings: { contextTokens: contextTokens ?? null, gpuLayers: gpuLayers ?? null, deterministic, seed },
    shots: plan.shots,
    data: data.digests.test,
    prompts: promptsDigest(session, plan.shots),
  };
}

interface StoredRun {
  readonly runId: string;
  readonly testing: TestingBlock;
}

async function rowsOf(session: SpecialiseSession, runId: string): Promise<PredictionRow[]> {
  const rows: PredictionRow[] = [];
  for await (const row of finalRows(await openRun(join(session.layout.runs, runId), session.workspace))) rows.push(row);
  return rows;
}

async function runProblem(session: SpecialiseSession, file: StageFile): Promise<string | null> {
  const { runId } = file.result as unknown as StoredRun;
  try {
    const run = await openRun(join(session.layout.runs, runId), session.workspace);
    for (const name of ['journal.jsonl', predictionsFile]) {
      if ((await digestArtifactOf(run, name)) !== file.outputs[name]) return `${name} of run ${runId} is not what the test wrote`;
    }
    return null;
  } catch (thrown) {
    return `its run ${runId} cannot be read: ${ToolError.isInstance(thrown) ? thrown.message : String(thrown)}`;
  }
}

function testingOf(record: RunRecord, runId: string): TestingBlock {
  const entry = record.results[0]!;
  return testingBlockSchema.parse({
    examples: entry.counts.total - entry.counts.missing,
    elapsedSeconds: record.durationMs / 1000,
    predictionColumn: 'prediction',
    rawColumn: 'raw',
    predictionsFile: null,
    predictionsDigest: record.artifacts[predictionsFile] ?? null,
    runId,
    latencyMs: entry.speed.latencyMs,
    promptTokens: entry.speed.promptTokens,
    completionTokens: entry.speed.completionTokens,
    finishReasons: entry.counts.finishReasons,
    errors: entry.counts.error,
    resources: record.modelRuns[0]?.resources ?? entry.resources,
  });
}

async function evaluateRows(
  session: SpecialiseSession,
  plan: HeldOutPlan,
): Promise<{ readonly record: RunRecord; readonly runId: string }> {
  const { recipe, definition, data, layout, options } = session;
  const { test } = recipe;
  const result = await evaluateRequest(
    {
      assignments: [],
      models: [recipe.model.base],
      tasks: [],
      tasksInCode: [
        {
          definition,
          rows: data.splits.test.map((row) => row.fields),
          ...(plan.shots > 0 ? { fewShotRows: data.splits.train.map((row) => row.fields) } : {}),
        },
      ],
      settings: {
        seed: test.seed,
        shots: plan.shots,
        chat: session.context.chat,
        threads: test.threads,
        gpuLayers: test.gpuLayers,
        context: test.context,
        concurrency: test.concurrency,
        maxErrorRate: test.maxErrorRate,
        deterministic: test.deterministic,
        timeoutMs: test.timeoutMs,
        profile: true,
      },
      generation: recipe.generation,
      adapters: plan.adapter === null ? [] : [plan.adapter.folder],
      dataFile: { columns: [] },
      name: `${session.loaded.recipe.task.title}: ${plan.title}`,
      output: layout.runs,
      dryRun: false,
      force: false,
      fresh: session.isForced('test'),
      offline: options.offline === true,
      commandLine: session.commandLine,
    },
    { listener: options.listener, finish: options.signal, stop: options.stop },
  );
  if (result.kind !== 'record') throw new ToolError('internal', 'a test run made no record');
  const { record } = result;
  if (result.exitCode === 130) throw new ToolError('interrupted', 'stopped; the same command goes on from here');
  const { error, total, missing } = record.results[0]!.counts;
  if (record.status !== 'complete')
    throw new ToolError('backend', `${plan.title}: ${error + missing} of ${total} failed`, {
      hint: `see ${result.folder}; the same command tries them again`,
    });
  return { record, runId: record.id };
}

async function run(session: SpecialiseSession, plan: HeldOutPlan, inputs: JsonObject): Promise<StageFile> {
  const startedMs = performance.now();
  const { record, runId } = await evaluateRows(session, plan);
  return writeStageFile(plan.resultFile, {
    stage: plan.title,
    inputs,
    outputs: { 'journal.jsonl': record.artifacts['journal.jsonl']!, [predictionsFile]: record.artifacts[predictionsFile]! },
    result: { runId, testing: testingOf(record, runId) } as unknown as Json,
    startedMs,
    command: session.commandLine,
  });
}

/** Runs the held-out rows unless a valid result is there, and reads its rows. */
export async function heldOutRun(session: SpecialiseSession, plan: HeldOutPlan): Promise<HeldOutResult> {
  const inputs = inputsOf(session, plan);
  const decision = await decideStage({
    title: plan.title,
    path: plan.resultFile,
    inputs,
    forced: session.isForced('test'),
    checkOutputs: (file) => runProblem(session, file),
  });
  session.note(`${plan.title}: ${decision.kind === 'reuse' ? 'reused' : 'runs'}: ${decision.reason}`);
  const stage = decision.kind === 'reuse' ? decision.file : await run(session, plan, inputs);
  const { runId, testing } = stage.result as unknown as StoredRun;
  return { stage, testing, rows: await rowsOf(session, runId), reused: decision.kind === 'reuse' };
}
