// The main job: recipe -> plan -> run -> record -> report, wired from the rooms.
import { copyFile, mkdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseModelReference } from '../backends/model-reference.ts';
import { modelRegistry } from '../backends/model-registry.ts';
import type { RunRecipe } from '../config/run-recipe.ts';
import { messageOf, ToolError } from '../core/errors.ts';
import type { EventListener } from '../core/events.ts';
import type { Metric } from '../core/metric.ts';
import type { RunPlan } from '../core/plan.ts';
import type { RunWriter } from '../core/ports/run-store.ts';
import type { RunRecord } from '../core/record.ts';
import type { PromptContext } from '../core/task.ts';
import { availableMemoryBytes } from '../profiler/host-facts.ts';
import { monotonicClock } from '../profiler/monotonic-clock.ts';
import { processMeter } from '../profiler/process-meter.ts';
import { executeRun } from '../runner/execute-run.ts';
import { finishRun } from '../runner/finish-run.ts';
import { planRun } from '../runner/plan-run.ts';
import { loadFileRunStore, loadResponseCache } from '../store/registry.ts';
import { availableModels, availableTasks } from './available.ts';
import { responseCachePath } from './caches.ts';
import { checkOutputs } from './check-outputs.ts';
import { createScorerWith } from './create-scorer.ts';
import { describePlan } from './describe-plan.ts';
import type { EvaluationHooks, EvaluationRequest, EvaluationResult } from './evaluation-request.ts';
import { mergeRecipe } from './merge-recipe.ts';
import { openGraders } from './open-graders.ts';
import { type PreparedJudges, prepareJudges } from './prepare-judges.ts';
import { type ModelUse, type PreparedModels, prepareModels } from './prepare-models.ts';
import { type PreparedTask, prepareTasks, type TaskUse } from './prepare-tasks.ts';
import { readSessionOrigin } from './session-origin.ts';
import { folderOfRecipe, loadUserMetrics } from './user-metrics.ts';
import { isRecordFile, openWorkspace, type Workspace } from './workspace.ts';
import { writeReports } from './write-reports.ts';
import { reportInputOf, writeRunReports } from './write-run-reports.ts';

export interface PreparedEvaluation {
  readonly recipe: RunRecipe;
  readonly workspace: Workspace;
  readonly tasks: readonly PreparedTask[];
  readonly models: PreparedModels;
  readonly plan: RunPlan;
  readonly notes: readonly string[];
  readonly userMetrics: readonly Metric[];
  readonly judges: PreparedJudges;
}

function modelUses(recipe: RunRecipe, request: EvaluationRequest): ModelUse[] {
  const extra = request.adapters;
  return recipe.models.map((use) =>
    typeof use === 'string'
      ? { reference: use, adapters: extra }
      : { reference: use.reference, key: use.key, adapters: [...use.adapters.map(({ path, scale }) => `${path}=${scale}`), ...extra] },
  );
}

function taskUses(recipe: RunRecipe): TaskUse[] {
  return recipe.tasks.map((use) => (typeof use === 'string' ? { name: use } : use));
}

/** Resolves everything and makes the plan; nothing runs. Also used by --dry-run, sample and submit. */
export async function prepareEvaluation(
  request: EvaluationRequest,
  listener: EventListener,
  signal?: AbortSignal,
): Promise<PreparedEvaluation> {
  const workspace = await openWorkspace({ offline: request.offline, output: request.output, listener, signal });
  const notes: string[] = [];
  const onNote = (message: string) => {
    notes.push(message);
    listener({ kind: 'note', at: monotonicClock.utc(), message });
  };
  const merged = await mergeRecipe(request);
  const recipe: RunRecipe = {
    ...merged,
    models: merged.models.length > 0 ? merged.models : await availableModels(workspace, onNote),
    tasks: merged.tasks.length > 0 || (request.tasksInCode?.length ?? 0) > 0 ? merged.tasks : await availableTasks(workspace, onNote),
  };
  // A mistyped model is told before any data is fetched.
  const names = modelRegistry(workspace.userModels).names;
  for (const use of modelUses(recipe, request)) parseModelReference(use.reference, names);
  const settings = recipe.run;
  const tasks = await prepareTasks({
    uses: taskUses(recipe),
    settings,
    dataFile: request.dataFile,
    inCode: request.tasksInCode,
    judges: recipe.judges,
    workspace,
    onNote,
  });
  const judges = await prepareJudges(tasks, settings, workspace);
  for (const note of judges.notes) onNote(note);
  const models = await prepareModels(modelUses(recipe, request), settings, workspace);
  const plan = planRun({
    models: models.models,
    tasks,
    settings: {
      seed: settings.seed,
      repeats: settings.repeats,
      protocol: settings.protocol,
      deterministic: settings.deterministic,
      cache: settings.cache,
      maxErrorRate: settings.maxErrorRate,
      concurrency: settings.concurrency ?? null,
      overflow: settings.overflow,
      profile: settings.profile,
      system: settings.system ?? null,
      shard: request.shard ?? null,
      generation: recipe.generation,
    },
    ramBytes: availableMemoryBytes(),
    force: request.force,
  });
  const userMetrics = [
    ...(request.userMetrics ?? []),
    ...(await loadUserMetrics(recipe.metricFiles, folderOfRecipe(request.configFile))),
    ...workspace.userMetrics,
  ];
  // An unknown metric is told before any model is loaded.
  for (const task of plan.tasks) createScorerWith(userMetrics)(task, { seed: plan.seed });
  return { recipe, workspace, tasks, models, plan, notes, userMetrics, judges };
}

/** Chat for answers in words where the model has a template; plain text for log-likelihoods, unless the user says otherwise. */
export function promptContextFor(
  recipe: RunRecipe,
): (
  model: { readonly backend: string; readonly facts: { readonly hasChatTemplate: boolean | null } },
  task: { readonly kind: string },
) => PromptContext {
  const { protocol, chat, system } = recipe.run;
  return (model, task) => {
    const canChat = model.backend === 'llama' || model.backend === 'transformers' ? model.facts.hasChatTemplate === true : true;
    const wants = chat ?? (protocol === 'native' && (task.kind === 'generate' || task.kind === 'choose-letter'));
    return { protocol, chat: wants && canChat, system, generation: recipe.generation };
  };
}

async function execute(
  prepared: PreparedEvaluation,
  request: EvaluationRequest,
  hooks: EvaluationHooks,
  listener: EventListener,
): Promise<{ record: RunRecord; interrupted: boolean; writer: RunWriter }> {
  const { plan, recipe, workspace, tasks, models } = prepared;
  const store = await loadFileRunStore(workspace.runsFolder);
  const { writer, resumed } = await store.open(plan, { fresh: request.fresh });
  const cache = plan.cache === 'off' ? null : await loadResponseCache({ path: responseCachePath(workspace.cacheDirectory) });
  const graders = openGraders(tasks, { panels: prepared.judges.panels, sources: workspace.sources });
  try {
    const run = await executeRun({
      plan,
      tasks: tasks.map((prepared) => prepared.task),
      openModel: (model) => models.open(model),
      promptContext: promptContextFor(recipe),
      writer,
      resumed,
      cache,
      clock: monotonicClock,
      meter: plan.profile ? { start: (ids) => processMeter.start(ids, { intervalMs: recipe.run.profileIntervalMs }) } : null,
      graders,
      listener,
      origin: await readSessionOrigin(request.commandLine),
      notes: prepared.notes,
      signal: hooks.finish,
      stopNow: hooks.stop,
      isProcessAlive,
    });
    const record = await finishRun({
      plan,
      writer,
      facts: run.facts,
      createScorer: createScorerWith(prepared.userMetrics),
      name: recipe.name,
    });
    return { record, interrupted: run.interrupted, writer };
  } catch (thrown) {
    await writer.close();
    throw thrown;
  } finally {
    await cache?.close();
    for (const grader of graders) await grader.close();
  }
}

function isProcessAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

async function writeArtifacts(
  record: RunRecord,
  writer: RunWriter,
  request: EvaluationRequest,
  folder: string,
  userMetrics: readonly Metric[],
): Promise<{ what: string; path: string }[]> {
  const options = { folder, userMetrics, hasOwnMetrics: (request.userMetrics?.length ?? 0) > 0 };
  await writeRunReports(record, writer, options);
  await writer.close();
  const files = [
    { what: 'record', path: join(folder, 'record.json') },
    { what: 'report', path: join(folder, 'report.html') },
    { what: 'predictions', path: join(folder, 'predictions.jsonl') },
  ];
  if (isRecordFile(request.output)) {
    await copyOut(join(folder, 'record.json'), resolve(request.output));
    files.push({ what: 'record copy', path: resolve(request.output) });
  }
  if (request.reportFolder !== undefined) {
    for (const path of await writeReports(await reportInputOf(record, writer, options), request.reportFolder))
      files.push({ what: 'report copy', path });
  }
  return files;
}

async function copyOut(from: string, to: string): Promise<void> {
  try {
    await mkdir(dirname(to), { recursive: true });
    await copyFile(from, to);
  } catch (cause) {
    throw new ToolError('storage', `cannot write ${to}: ${messageOf(cause)}`, {
      cause,
      hint: `the run itself is complete in ${dirname(from)}`,
    });
  }
}

/**
 * Evaluates models on tasks as the request says.
 * @throws ToolError `usage`, `config`, `not-found`, `unavailable`, `data`, `memory`... before anything runs; `storage` during it
 */
export async function evaluateRequest(request: EvaluationRequest, hooks: EvaluationHooks = {}): Promise<EvaluationResult> {
  const listener = hooks.listener ?? (() => {});
  const prepared = await prepareEvaluation(request, listener, hooks.finish);
  if (request.dryRun)
    return { kind: 'plan', plan: prepared.plan, text: await describePlan(prepared.plan, prepared.workspace), exitCode: 0 };
  await checkOutputs(request);
  const { record, interrupted, writer } = await execute(prepared, request, hooks, listener);
  const folder = join(prepared.workspace.runsFolder, writer.runId);
  const files = await writeArtifacts(record, writer, request, folder, prepared.userMetrics);
  listener({ kind: 'run-finished', at: monotonicClock.utc(), runId: writer.runId, status: record.status });
  return { kind: 'record', record, folder, files, exitCode: interrupted ? 130 : record.status === 'failed' ? 1 : 0 };
}
