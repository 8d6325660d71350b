// What `-d NAME` means: a task of the catalogue, a task file, or a data file whose task is inferred.
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { loadConfigFile } from '../config/load-config-file.ts';
import type { Dataset } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import type { RequestKind } from '../core/task.ts';
import { loadDataset } from '../datasets/registry.ts';
import { splitOfPath } from '../datasets/split-name.ts';
import { inferTask } from '../tasks/infer-task.ts';
import { parseTaskDefinition } from '../tasks/parse-task-definition.ts';
import { findTasks } from '../tasks/registry.ts';
import type { TaskDefinition } from '../tasks/task-definition.ts';
import type { DataFileRequest } from './evaluation-request.ts';
import type { Workspace } from './workspace.ts';

export interface FoundTask {
  readonly definition: TaskDefinition;
  readonly category?: string | undefined;
  readonly requestKind?: RequestKind | undefined;
  /** Built-in task that stands in where the real data cannot be had. */
  readonly fallback?: TaskDefinition | undefined;
  /** The group that was asked for by name, if one was. */
  readonly group?: string | undefined;
  readonly notes: readonly string[];
}

export interface FindTaskContext {
  readonly workspace: Workspace;
  readonly dataFile: DataFileRequest;
}

const taskFile = /\.(ya?ml|[cm]?[jt]s)$/i;
const dataFile = /\.(jsonl|ndjson|json|csv|tsv|parquet|arrow|txt)(\.gz)?$/i;

function isDataReference(name: string): boolean {
  return /^(hf|https?|pypi|file):/.test(name) || dataFile.test(name);
}

/** `role=name` pairs of --column. */
export function parseColumns(pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1 || at === pair.length - 1)
        throw new ToolError('usage', `--column ${pair}: expected role=name`, { hint: 'for example --column question=q' });
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

async function fromTaskFile(path: string): Promise<FoundTask> {
  const document = await loadConfigFile(path);
  try {
    return { definition: parseTaskDefinition(document.value), notes: [] };
  } catch (thrown) {
    if (ToolError.isInstance(thrown))
      throw new ToolError('config', `${path}: ${thrown.message}`, { hint: thrown.hint ?? `slmbench tasks validate ${path} explains more` });
    throw thrown;
  }
}

/** The test split, else the validation split; another one only where the user named it by its file, or a hub dataset has no more. */
function evaluatedSplit(reference: string, { splitNames, provenance, info }: Dataset): string {
  const heldOut = ['test', 'validation', 'dev'].find((name) => splitNames.includes(name));
  if (heldOut !== undefined) return heldOut;
  const only = splitNames[0]!;
  if (splitNames.length === 1 && (provenance.kind !== 'file' || splitOfPath(basename(reference)) === only)) return only;
  if (provenance.kind !== 'file' && splitNames.includes('train')) return 'train';
  throw new ToolError('usage', `${info.name} has no split "test" or "validation"; it has: ${splitNames.join(', ')}`, {
    hint: `name the one to evaluate on: --split ${only}`,
  });
}

async function fromDataFile(reference: string, { workspace, dataFile }: FindTaskContext): Promise<FoundTask> {
  const { offline, cacheDirectory, onProgress, signal } = workspace.sources;
  const dataset = await loadDataset(reference, { offline, cacheDirectory, onProgress, signal });
  const split = dataFile.split ?? evaluatedSplit(reference, dataset);
  const loaded = await dataset.split(split);
  const inferred = inferTask({
    name: dataset.info.name,
    dataset: reference,
    split,
    rows: loaded.rows,
    classNames: loaded.classNames,
    type: dataFile.taskType,
    columns: parseColumns(dataFile.columns),
    labels: dataFile.labels,
    prompt: dataFile.prompt,
    metrics: dataFile.metrics,
  });
  return { definition: inferred.definition, notes: inferred.notes };
}

/**
 * The tasks a name means: several for a group.
 * @throws ToolError `not-found` with the nearest task, `config` for a wrong task file, `data` for an unreadable data file
 */
export async function findTaskDefinitions(name: string, context: FindTaskContext): Promise<readonly FoundTask[]> {
  if (taskFile.test(name)) return [await fromTaskFile(name)];
  if (isDataReference(name)) return [await fromDataFile(name, context)];
  const isPath = /[\\/]/.test(name) && (await stat(name).catch(() => null)) !== null;
  if (isPath) return [await fromDataFile(name, context)];
  for (const file of context.workspace.userTaskFiles) {
    const found = await fromTaskFile(file);
    if (found.definition.name === name) return [found];
  }
  const members = findTasks(name);
  return members.map((found) => ({ ...found, group: members.length > 1 ? name : undefined, notes: [] }));
}
