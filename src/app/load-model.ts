// Opens one model for library use: generate, score, render, with the same engine as a run.
import { openBackend } from '../backends/registry.ts';
import { resolveModel } from '../backends/resolve-model.ts';
import type { Backend, BackendOptions } from '../core/ports/backend.ts';
import { openWorkspace } from './workspace.ts';

/**
 * Loads a model; close it when done.
 * @example
 * const model = await loadModel('smollm2-135m');
 * const answer = await model.generate({ prompt: { kind: 'chat', messages: [{ role: 'user', content: 'Hi' }] }, settings: defaultGenerationSettings });
 * await model.close();
 */
export async function loadModel(reference: string, options: BackendOptions & { readonly offline?: boolean } = {}): Promise<Backend> {
  const { offline, ...backend } = options;
  const workspace = await openWorkspace({ offline });
  const model = await resolveModel(reference, { ...workspace.sources, userEntries: workspace.userModels });
  return openBackend(model, backend);
}
