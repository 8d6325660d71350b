// From references to planned models: resolves each one (fetching its file), estimates memory, and knows how to open it.
import { basename } from 'node:path';

import { describeServed } from '../backends/describe-served.ts';
import { estimateMemoryBytes } from '../backends/estimate-memory.ts';
import { openBackend } from '../backends/registry.ts';
import { type ResolvedAdapter, resolveAdapter } from '../backends/resolve-adapter.ts';
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
  /** `PATH` or `PATH=SCALE`: GGUF adapters or PEFT folders. */
  readonly adapters: readonly string[];
}

export interface PreparedModels {
  readonly models: readonly ModelToPlan[];
  /** What was asked for, by key of the plan. */
  readonly uses: ReadonlyMap<string, ModelUse>;
  /** Loads a model of the plan. Restarts of its engine are seen by the runner from the process ids. */
  readonly open: (model: PlannedModel) => Promise<Backend>;
}

function backendOptions(settings: RunSettings, adapters: readonly ResolvedAdapter[]): BackendOptions {
  return {
    contextTokens: settings.context,
    threads: settings.threads,
    gpuLayers: settings.gpuLayers,
    adapters: adapters.length === 0 ? undefined : adapters.map(({ path, scale }) => ({ path, scale })),
    deterministic: settings.deterministic,
    requestTimeoutMs: settings.timeoutMs,
    seed: settings.seed,
  };
}

/** Settings of the plan: what was asked for, by name; the engine's own answer lands in the record. */
function plannedSettings(options: BackendOptions): PlannedModel['settings'] {
  const { adapters: _, requestTimeoutMs: __, seed: ___, ...plain } = options;
  return Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)) as Record<string, string | number | boolean>;
}

async function resolveAdapters(use: ModelUse, model: ResolvedModel, workspace: Workspace): Promise<ResolvedAdapter[]> {
  const adapters: ResolvedAdapter[] = [];
  for (const text of use.adapters) adapters.push(await resolveAdapter(text, model, workspace));
  return adapters;
}

/** Facts with the adapters' digests: base and base + adapter never share a plan or a cache entry. */
function factsWith(model: ResolvedModel, adapters: readonly ResolvedAdapter[]): PlannedModel['facts'] {
  return {
    ...model.facts,
    adapters: adapters.map(({ path, digest, scale, sizeBytes }) => ({ path: basename(path), digest, scale, sizeBytes })),
  };
}

function adapterName(text: string): string {
  return basename(text.replace(/=[^=/\\]+$/, '')).replace(/\.gguf$/i, '');
}

export async function prepareModels(uses: readonly ModelUse[], settings: RunSettings, workspace: Workspace): Promise<PreparedModels> {
  const resolved = new Map<string, { readonly model: ResolvedModel; readonly options: BackendOptions }>();
  const models: ModelToPlan[] = [];
  const usesByKey = new Map<string, ModelUse>();
  for (const use of uses) {
    const model = await resolveModel(use.reference, { ...workspace.sources, userEntries: workspace.userModels });
    const key = use.key ?? (use.adapters.length > 0 ? `${model.key}+${use.adapters.map(adapterName).join('+')}` : model.key);
    if (resolved.has(key) && resolved.get(key)!.model.facts.digest === model.facts.digest) continue;
    const adapters = await resolveAdapters(use, model, workspace);
    const options = backendOptions(settings, adapters);
    const served = await describeServed(model, options);
    resolved.set(key, { model, options });
    usesByKey.set(key, use);
    models.push({
      key,
      reference: model.reference,
      title: model.title,
      backend: model.backendKind,
      facts: factsWith(served === null ? model : { ...model, facts: served.facts }, adapters),
      settings: plannedSettings(options),
      estimatedMemoryBytes:
        model.gguf === null
          ? null
          : estimateMemoryBytes(model.gguf, settings.context ?? Math.min(defaultContext, model.facts.trainedContext ?? defaultContext)),
      notes: [],
      capabilities: served?.capabilities ?? null,
    });
  }
  return {
    models,
    uses: usesByKey,
    open: async (planned) => {
      const { model, options } = resolved.get(planned.key)!;
      return openBackend(model, options);
    },
  };
}
