// Fetches a model or a dataset into the cache and says which source served.

import { modelRegistry } from '../backends/model-registry.ts';
import { type ResolvedModel, resolveModel } from '../backends/resolve-model.ts';
import { objectOfCounts } from '../core/count-names.ts';
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { listDatasets, loadDataset } from '../datasets/registry.ts';
import { findTasks, isTaskName } from '../tasks/registry.ts';
import type { Workspace } from './workspace.ts';

export interface Pulled {
  readonly name: string;
  readonly kind: 'model' | 'dataset';
  readonly path: string | null;
  readonly digest: string | null;
  readonly servedBy: string | null;
  readonly splits: Readonly<Record<string, number>>;
  /** Splits that no reachable source has. */
  readonly missing: readonly string[];
}

/** `ollama:TAG`: the server fetches it, and says how far it is. */
async function pullIntoOllama(name: string, model: ResolvedModel, workspace: Workspace): Promise<Pulled> {
  const { pullWithOllama } = await import('../backends/ollama/pull-with-ollama.ts');
  const { digest, servedBy } = await pullWithOllama(model, workspace.sources);
  return { name, kind: 'model', path: null, digest, servedBy, splits: {}, missing: [] };
}

async function pullModel(name: string, workspace: Workspace): Promise<Pulled> {
  const model = await resolveModel(name, { ...workspace.sources, userEntries: workspace.userModels });
  if (model.backendKind === 'ollama') return await pullIntoOllama(name, model, workspace);
  return { name, kind: 'model', path: model.path, digest: model.facts.digest, servedBy: model.servedBy, splits: {}, missing: [] };
}

async function pullDataset(name: string, workspace: Workspace): Promise<Pulled> {
  const { offline, cacheDirectory, onProgress, signal } = workspace.sources;
  const dataset = await loadDataset(name, { offline, cacheDirectory, onProgress, signal });
  const splits: [string, number][] = [];
  const missing: string[] = [];
  for (const splitName of dataset.splitNames) {
    try {
      splits.push([splitName, (await dataset.split(splitName)).rows.length]);
    } catch (thrown) {
      if (!ToolError.isInstance(thrown) || thrown.code !== 'unavailable') throw thrown;
      missing.push(splitName);
      if (missing.length === dataset.splitNames.length) throw thrown;
    }
  }
  return {
    name,
    kind: 'dataset',
    path: null,
    digest: null,
    servedBy: dataset.provenance.reference,
    splits: objectOfCounts(splits),
    missing,
  };
}

function isModel(name: string, workspace: Workspace): boolean {
  return (
    modelRegistry(workspace.userModels).names.has(name.toLowerCase()) ||
    /\.gguf$/i.test(name) ||
    /^(ollama|openai):/.test(name) ||
    /^hf:[^:]+:\w/.test(name)
  );
}

/** @throws ToolError `not-found` with the nearest model or dataset, `unavailable` with what each source said */
export async function pull(name: string, workspace: Workspace): Promise<readonly Pulled[]> {
  if (isModel(name, workspace)) return [await pullModel(name, workspace)];
  if (listDatasets().some((info) => info.name === name) || /^(hf|https?|pypi):/.test(name)) return [await pullDataset(name, workspace)];
  if (isTaskName(name)) {
    const names = new Set(findTasks(name).map((task) => task.definition.dataset.name));
    return Promise.all([...names].map((dataset) => pullDataset(dataset, workspace)));
  }
  const known = [...modelRegistry(workspace.userModels).names, ...listDatasets().map((info) => info.name)];
  throw new ToolError('not-found', `unknown model or dataset "${name}"`, { hint: suggestName(name, known) });
}
