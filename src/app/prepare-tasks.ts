// From names to runnable tasks: finds the definition (catalogue, task file, data file), loads its data, selects rows, binds prompts.
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { RunSettings } from '../config/run-recipe.ts';
import type { Dataset, DatasetSplit, Row } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { PlannedTask } from '../core/plan.ts';
import { datasetFromRows } from '../datasets/make-dataset.ts';
import { rowId } from '../datasets/make-split.ts';
import { loadDataset } from '../datasets/registry.ts';
import { selectRows } from '../datasets/select-rows.ts';
import { applySteps, type DatasetStep } from '../datasets/steps.ts';
import type { TaskToPlan } from '../runner/plan-run.ts';
import { type BoundTask, bindTask } from '../tasks/bind-task.ts';
import { bodyOf, type TaskDefinition } from '../tasks/task-definition.ts';
import type { DataFileRequest, TaskInCode } from './evaluation-request.ts';
import { type FoundTask, findTaskDefinitions } from './find-task-definition.ts';
import { withJudges } from './prepare-judges.ts';
import type { Workspace } from './workspace.ts';

export interface TaskUse {
  readonly name: string;
  readonly shots?: number | undefined;
  readonly samples?: number | undefined;
}

export interface PreparedTask extends TaskToPlan {
  readonly task: BoundTask;
  readonly definition: TaskDefinition;
  readonly notes: readonly string[];
}

export interface PrepareTasksInput {
  readonly uses: readonly TaskUse[];
  readonly settings: RunSettings;
  readonly dataFile: DataFileRequest;
  readonly workspace: Workspace;
  readonly inCode?: readonly TaskInCode[] | undefined;
  /** Model references that replace the judges of judged tasks. */
  readonly judges?: readonly string[] | undefined;
  readonly onNote: (message: string) => void;
}

interface LoadedSplit {
  readonly dataset: Dataset;
  readonly split: DatasetSplit;
  /** Rows after the task's own steps. */
  readonly rows: readonly Row[];
  readonly stepNotes: readonly string[];
}

function stepped(
  rows: readonly Row[],
  definition: TaskDefinition,
): { readonly rows: readonly Row[]; readonly stepNotes: readonly string[] } {
  const { steps } = definition.dataset;
  if (steps === undefined) return { rows, stepNotes: [] };
  const result = applySteps(rows, steps as unknown as readonly DatasetStep[]);
  return { rows: result.rows, stepNotes: result.notes };
}

/** Rows made in code get the ids that loaded rows of the same content have. */
export function rowsInCode(rows: readonly JsonObject[]): Row[] {
  const seen = new Map<string, number>();
  return rows.map((fields) => {
    const id = rowId(fields);
    const copies = seen.get(id) ?? 0;
    seen.set(id, copies + 1);
    return { id: copies === 0 ? id : `${id}-${copies + 1}`, fields };
  });
}

async function splitInCode({ definition, rows }: TaskInCode): Promise<LoadedSplit> {
  const { name, split: splitName } = definition.dataset;
  const dataset = await datasetFromRows(name, rows ?? [], splitName);
  const split = await dataset.split(splitName);
  return { dataset, split, ...stepped(split.rows, definition) };
}

async function loadSplit(definition: TaskDefinition, splitName: string, workspace: Workspace): Promise<LoadedSplit> {
  const { offline, cacheDirectory, onProgress, signal } = workspace.sources;
  const dataset = await loadDataset(definition.dataset.name, { offline, cacheDirectory, onProgress, signal });
  const split = await dataset.split(splitName);
  return { dataset, split, ...stepped(split.rows, definition) };
}

/** Rows that shots come from; undefined where that split cannot be had (the evaluated split then serves, with the leak check on). */
async function loadShotRows(definition: TaskDefinition, loaded: LoadedSplit): Promise<readonly Row[] | undefined> {
  const name = definition.dataset.fewShotSplit;
  if (name === undefined || name === loaded.split.name || !loaded.dataset.splitNames.includes(name)) return undefined;
  const { rows } = await loaded.dataset.split(name);
  return stepped(rows, definition).rows;
}

function describeDataset(found: FoundTask, loaded: LoadedSplit, notes: readonly string[]): PlannedTask['dataset'] {
  const { info, provenance } = loaded.dataset;
  return {
    name: info.name,
    split: loaded.split.name,
    source: provenance.reference,
    revision: provenance.revision ?? null,
    files: { ...provenance.files },
    licence: info.licence.name,
    redistributable: info.licence.redistributable,
    splitManifest: loaded.split.manifest,
    splitSize: loaded.rows.length,
    notes: [...found.notes, ...loaded.split.notes, ...loaded.stepNotes, ...notes],
  };
}

async function prepareOne(found: FoundTask, use: TaskUse, input: PrepareTasksInput, inCode?: TaskInCode): Promise<PreparedTask> {
  const { workspace, settings, dataFile } = input;
  const definition = withJudges(found.definition, input.judges);
  const loaded =
    inCode?.rows === undefined
      ? await loadSplit(definition, dataFile.split ?? definition.dataset.split, workspace)
      : await splitInCode(inCode);
  const shots = use.shots ?? settings.shots;
  const needsShots = (shots ?? bodyOf(definition, settings.protocol).fewShot.count) > 0;
  const shotRows = inCode?.fewShotRows === undefined ? undefined : rowsInCode(inCode.fewShotRows);
  const bound = bindTask(definition, {
    rows: loaded.rows,
    fewShotRows: shotRows ?? (needsShots ? await loadShotRows(definition, loaded) : undefined),
    protocol: settings.protocol,
    shots,
    seed: settings.seed,
    classNames: loaded.split.classNames,
    category: found.category,
    requestKind: found.requestKind,
  });
  const rule = { sample: use.samples ?? settings.samples, limit: settings.limit, seed: settings.seed };
  const { rows, selection } = selectRows(bound.rows, rule);
  return {
    task: { ...bound, rows, groups: found.group === undefined ? [] : [found.group] },
    definition,
    selection,
    dataset: describeDataset(found, loaded, bound.notes),
    notes: found.notes,
  };
}

/** A real task whose data no source can serve falls back to its built-in miniature, and says so. */
async function prepareWithFallback(found: FoundTask, use: TaskUse, input: PrepareTasksInput): Promise<PreparedTask> {
  try {
    return await prepareOne(found, use, input);
  } catch (thrown) {
    const { fallback } = found;
    if (fallback === undefined || !ToolError.isInstance(thrown) || thrown.code !== 'unavailable') throw thrown;
    input.onNote(`"${use.name}" cannot be fetched; the built-in "${fallback.name}" runs in its place (${thrown.message})`);
    return prepareOne({ definition: fallback, notes: [] }, use, input);
  }
}

/**
 * The members of a group that can be had; the others are named. A group that is not whole gets no group score.
 * @throws ToolError that of the first member when none can be had
 */
async function prepareGroup(members: readonly FoundTask[], use: TaskUse, input: PrepareTasksInput): Promise<PreparedTask[]> {
  const ready: PreparedTask[] = [];
  const missing: { readonly name: string; readonly error: ToolError }[] = [];
  for (const found of members) {
    try {
      ready.push(await prepareWithFallback(found, use, input));
    } catch (thrown) {
      if (members.length === 1 || !ToolError.isInstance(thrown) || thrown.code !== 'unavailable') throw thrown;
      missing.push({ name: found.definition.name, error: thrown });
    }
  }
  if (missing.length === 0) return ready;
  if (ready.length === 0) throw missing[0]!.error;
  input.onNote(`group "${use.name}" is not whole, so it has no score: ${missing.map(({ name }) => name).join(', ')} cannot be fetched`);
  return ready.map((prepared) => ({ ...prepared, task: { ...prepared.task, groups: [] } }));
}

/** Whether two definitions are one task; a data file may be named by different paths, which an inferred description repeats. */
function isSameTask({ definition: left }: PreparedTask, { definition: right }: PreparedTask): boolean {
  const plain = (one: TaskDefinition) => ({ ...one, description: undefined, dataset: { ...one.dataset, name: resolve(one.dataset.name) } });
  return isDeepStrictEqual(plain(left), plain(right));
}

/**
 * Prepares all tasks, in order; a task named twice is prepared once.
 * @throws ToolError `usage` for two different tasks of one name, such as data files of one name in two folders
 */
export async function prepareTasks(input: PrepareTasksInput): Promise<PreparedTask[]> {
  const prepared = new Map<string, PreparedTask>();
  const namedBy = new Map<string, string>();
  for (const use of input.uses) {
    for (const task of await prepareGroup(await findTaskDefinitions(use.name, input), use, input)) {
      for (const note of task.notes) input.onNote(note);
      const { key } = task.task;
      const earlier = prepared.get(key);
      if (earlier !== undefined && !isSameTask(earlier, task))
        throw new ToolError('usage', `two tasks are called "${key}": ${namedBy.get(key)} and ${use.name}`, {
          hint: 'rename one of the files (or the task in its task file), or run them one after the other',
        });
      if (earlier !== undefined) continue;
      prepared.set(key, task);
      namedBy.set(key, use.name);
    }
  }
  for (const inCode of input.inCode ?? []) {
    const task = await prepareOne({ definition: inCode.definition, notes: [] }, { name: inCode.definition.name }, input, inCode);
    prepared.set(task.task.key, task);
  }
  return [...prepared.values()];
}
