// What a model behind a server is and can do, asked before a run is planned: a wrong name or a task that it cannot do ends there.
import type { ModelFacts } from '../core/model.ts';
import type { BackendCapabilities, BackendOptions } from '../core/ports/backend.ts';
import type { ResolvedModel } from './resolve-model.ts';
import type { ServerTuning } from './shared/server-tuning.ts';

export interface ServedModel {
  readonly facts: ModelFacts;
  readonly capabilities: BackendCapabilities;
}

/**
 * Asks the server; loads nothing into its memory where the server allows that.
 * @returns null for models that need no server
 * @throws ToolError `transport`, `access`, `not-found` (with the nearest name or the pull line), `backend`
 */
export async function describeServed(
  model: ResolvedModel,
  options: BackendOptions = {},
  tuning?: ServerTuning,
): Promise<ServedModel | null> {
  if (model.backendKind === 'ollama') {
    const { describeOllama } = await import('./ollama/describe-ollama.ts');
    return describeOllama(model, options, tuning);
  }
  if (model.backendKind !== 'openai') return null;
  const { openBackend } = await import('./registry.ts');
  const backend = await openBackend(model, options, { server: tuning });
  await backend.close();
  return { facts: backend.model, capabilities: backend.capabilities };
}
