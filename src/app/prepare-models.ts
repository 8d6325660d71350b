// From references to planned models: resolves each one (fetching its file), estimates memory, and knows how to open it.

import { estimateMemoryBytes } from '../backends/estimate-memory.ts';
import { openBackend } from '../backends/registry.ts';
import { type ResolvedModel, resolveModel } from '../backends/resolve-model.ts';
import type { RunSettings } from '../config/run-recipe.ts';
import type { PlannedModel } from '../core/plan.ts';
import type { Backend, BackendOptions } from '../core/ports/backend.ts';
import type { ModelToPlan } from '../runner/plan-run.ts';
import type { Workspace } from './workspace.ts';

/** Context the estimate assumes where none is asked for; the engine takes what the task needs. */
const defaultContext = 4096;

export interface ModelUse {
  readonly reference: string;
  readonly key?: string | undefined;
  readonly adapters: readonly { readonly path: string; readonly scale: number }[];
}

export interface PreparedModels {
  readonly models: readonly ModelToPlan[];
  readonly open: (model: PlannedModel, onRestart: (reason: string) => void) => Promise<Backend>;
}

function backendOptions(settings: RunSettings, adapters: ModelUse['adapters']): BackendOptions {
  return {
    contextTokens: settings.context,
    threads: settings.threads,
    gpuLayers: settings.gpuLayers,
    adapters: adapters.length === 0 ? undefined : adapters,
    deterministic: settings.deterministic,
    requestTimeoutMs: settings.timeoutMs,
    seed: settings.seed,
  };
}

/** Settings of the plan: what was asked for, by name; the engine's own answer lands in the record. */
function plannedSettings(options: BackendOptions): PlannedModel['settings'] {
  const { adapters, requestTimeoutMs: _, seed: __, ...plain } = options;
  const settings = Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)) as Record<
    string,
    string | number | boolean
  >;
  if (adapters !== undefined) settings['adapters'] = adapters.map(({ path, scale }) => `${path.split(/[\\/]/).at(-1)}:${scale}`).join(',');
  return settings;
}

export async function prepareModels(uses: readonly ModelUse[], settings: RunSettings, workspace: Workspace): Promise<PreparedModels> {
  const resolved = new Map<string, { readonly model: ResolvedModel; readonly options: BackendOptions }>();
  const models: ModelToPlan[] = [];
  for (const use of uses) {
    const model = await resolveModel(use.reference, { ...workspace.sources, userEntries: workspace.userModels });
    const key = use.key ?? model.key;
    if (resolved.has(key) && resolved.get(key)!.model.facts.digest === model.facts.digest) continue;
    const options = backendOptions(settings, use.adapters);
    resolved.set(key, { model, options });
    models.push({
      key,
      reference: model.reference,
      title: model.title,
      backend: model.backendKind,
      facts: model.facts,
      settings: plannedSettings(options),
      estimatedMemoryBytes:
        model.gguf === null
          ? null
          : estimateMemoryBytes(model.gguf, settings.context ?? Math.min(defaultContext, model.facts.trainedContext ?? defaultContext)),
      notes: [],
      capabilities: null,
    });
  }
  return {
    models,
    open: async (planned, onRestart) => {
      const { model, options } = resolved.get(planned.key)!;
      return openBackend(model, options, { onRestart });
    },
  };
}
