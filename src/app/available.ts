// What "all available" means when -m or -d is left out: what this machine already has, without a download.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { modelRegistry } from '../backends/model-registry.ts';
import { entriesInOllama } from '../backends/ollama-first.ts';
import { fetchFile } from '../sources/fetch-file.ts';
import type { Workspace } from './workspace.ts';

/** The model that is fetched when there is none at all. */
export const firstModel = 'smollm2-135m';

/** Registry models whose file is in the cache already, or that Ollama has where it comes first; the small first model where there is none. */
export async function availableModels(workspace: Workspace, onNote: (message: string) => void): Promise<string[]> {
  const { entries } = modelRegistry(workspace.userModels);
  const served = workspace.offline ? [] : await entriesInOllama(entries);
  const names: string[] = [];
  for (const entry of entries) {
    if (served.includes(entry.name)) {
      names.push(entry.name);
      continue;
    }
    if (entry.sources.length === 0 || entry.sources.some((source) => source.reference.startsWith('builtin:'))) continue;
    const cached = await fetchFile(entry.sources, { ...workspace.sources, offline: true, onProgress: undefined }).catch(() => null);
    if (cached !== null) names.push(entry.name);
  }
  if (names.length === 0) {
    onNote(`no model was named and none is in the cache: taking ${firstModel} (slmbench list models shows others)`);
    return [firstModel];
  }
  onNote(`no model was named: taking those ${served.length === 0 ? 'in the cache' : 'in the cache and in Ollama'}: ${names.join(', ')}`);
  return names;
}

/** The built-in suites; real tasks are named by the user, since their data must be fetched. */
export const builtinSuiteNames = [
  'mmlu-mini',
  'commonsense-mini',
  'coding-mini',
  'sentiment-mini',
  'qa-mini',
  'summarisation-mini',
] as const;

export async function availableTasks(workspace: Workspace, onNote: (message: string) => void): Promise<string[]> {
  const files = [];
  for (const file of workspace.userTaskFiles) if ((await stat(file).catch(() => null)) !== null) files.push(file);
  onNote(
    `no task was named: taking the built-in suites${files.length > 0 ? ' and the task files of the project' : ''} (slmbench list tasks shows others)`,
  );
  return [...builtinSuiteNames, ...files.map((file) => join(file))];
}
