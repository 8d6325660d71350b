// Opens a model with the backend of its kind; the adapter is loaded only then, so listing loads no native code.
import { ToolError } from '../core/errors.ts';
import type { Backend, BackendOptions } from '../core/ports/backend.ts';
import type { BackendKind, ResolvedModel } from './resolve-model.ts';
import type { ServerTuning } from './shared/server-tuning.ts';

export interface BackendHooks {
  /** The engine process died and a new one took its place. */
  readonly onRestart?: ((reason: string) => void) | undefined;
  /** How a server is asked (retries, time-outs, caching); `loadTestTuning` for load tests. */
  readonly server?: ServerTuning | undefined;
}

export type OpenBackend = (model: ResolvedModel, options: BackendOptions, hooks: BackendHooks) => Promise<Backend>;

const loaders: Partial<Record<BackendKind, () => Promise<OpenBackend>>> = {
  llama: async () => {
    const { openLlamaBackend } = await import('./llama/llama-backend.ts');
    return ({ path, facts }, options, { onRestart }) => openLlamaBackend({ path: path!, facts, options, onRestart });
  },
  ollama: async () => (await import('./ollama/ollama-backend.ts')).openOllamaBackend,
  openai: async () => {
    const { openOpenaiBackend } = await import('./openai/openai-backend.ts');
    const { openEndpoints } = await import('./shared/open-endpoints.ts');
    return (model, options, hooks) =>
      openEndpoints(model.url ?? '', {
        environment: hooks.server?.environment,
        open: (url, isOneOfMany) => {
          const patience = isOneOfMany ? { ...hooks.server?.patience, retries: 0 } : hooks.server?.patience;
          return openOpenaiBackend({ ...model, url }, options, { server: { ...hooks.server, patience } });
        },
      });
  },
  scripted: async () => (await import('./scripted/scripted-backend.ts')).openScriptedBackend,
  transformers: async () => {
    const { openTransformersModel } = await import('./transformers/transformers-backend.ts');
    return ({ path, facts }, options, { onRestart }) =>
      openTransformersModel({ kind: 'directory', path: path!, facts, options, onRestart });
  },
};

/** Kinds that can be opened. */
export const backendKinds: readonly BackendKind[] = Object.keys(loaders) as BackendKind[];

/**
 * Loads a model.
 * @throws ToolError `unsupported` for a kind that this build lacks; `backend`, `memory`, `unavailable` as the adapter says
 */
export async function openBackend(model: ResolvedModel, options: BackendOptions = {}, hooks: BackendHooks = {}): Promise<Backend> {
  const load = loaders[model.backendKind];
  if (load === undefined) {
    throw new ToolError('unsupported', `models of kind "${model.backendKind}" cannot be opened by this build`, {
      hint: `it opens: ${backendKinds.join(', ')}`,
    });
  }
  const open = await load();
  return await open(model, options, hooks);
}
