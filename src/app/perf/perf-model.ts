// One model of a performance run: resolving it, opening it with its settings, and making sure that it is gone again afterwards.

import { openBackend } from '../../backends/registry.ts';
import { resolveAdapter } from '../../backends/resolve-adapter.ts';
import { type ResolvedModel, resolveModel } from '../../backends/resolve-model.ts';
import { loadTestTuning } from '../../backends/shared/server-tuning.ts';
import type { PlannedModel } from '../../core/plan.ts';
import type { Backend } from '../../core/ports/backend.ts';
import { monotonicClock } from '../../profiler/monotonic-clock.ts';
import type { Workspace } from '../workspace.ts';
import type { EngineOptions } from './engine-speed.ts';
import type { PerfHooks, PerfRequest } from './perf-request.ts';

export interface PerfModel {
  readonly key: string;
  readonly resolved: ResolvedModel;
  readonly options: EngineOptions;
  readonly planned: PlannedModel;
}

const goneWithinMs = 3000;
const pollMs = 25;

export async function preparePerfModels(request: PerfRequest, workspace: Workspace): Promise<readonly PerfModel[]> {
  const models: PerfModel[] = [];
  for (const reference of request.models) {
    const resolved = await resolveModel(reference, { ...workspace.sources, userEntries: workspace.userModels });
    const adapters = [];
    for (const text of request.adapters) adapters.push(await resolveAdapter(text, resolved, workspace));
    const options: EngineOptions = {
      requestTimeoutMs: request.requestTimeoutMs,
      seed: request.seed,
      ...(request.context === null ? {} : { contextTokens: request.context }),
      ...(request.threads === null ? {} : { threads: request.threads }),
      ...(request.gpuLayers === null ? {} : { gpuLayers: request.gpuLayers }),
      ...(adapters.length === 0 ? {} : { adapters: adapters.map(({ path, scale }) => ({ path, scale })) }),
    };
    const key = uniqueKey(resolved.key, models);
    const { contextTokens, threads, gpuLayers } = options;
    const settings = Object.fromEntries(
      Object.entries({ contextTokens, threads, gpuLayers }).filter(([, value]) => value !== undefined),
    ) as Record<string, number>;
    models.push({
      key,
      resolved,
      options,
      planned: {
        key,
        reference: resolved.reference,
        title: resolved.title,
        backend: resolved.backendKind,
        facts: resolved.facts,
        settings,
        estimatedMemoryBytes: null,
        notes: [],
      },
    });
  }
  return models;
}

/** The same model twice (an A/A comparison) gets two names. */
function uniqueKey(key: string, models: readonly PerfModel[]): string {
  let name = key;
  for (let copy = 2; models.some((model) => model.key === name); copy++) name = `${key}#${copy}`;
  return name;
}

/**
 * One retry of what broke before any content: servers close idle connections in the very moment a request leaves. Its time counts as
 * queueing; refusals for load are results.
 */
export async function openPerfModel(model: PerfModel, options: EngineOptions, hooks: PerfHooks, cacheAllowed = false): Promise<Backend> {
  hooks.listener({ kind: 'model-loading', at: monotonicClock.utc(), model: model.key });
  const backend = await openBackend(model.resolved, options, {
    server: { ...loadTestTuning, patience: { retries: 1, overloadRetries: 0, firstPauseMs: 1 }, promptCache: cacheAllowed },
  });
  hooks.listener({ kind: 'model-loaded', at: monotonicClock.utc(), model: model.key, loadMs: backend.load.loadMs });
  return backend;
}

function isAlive(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch {
    return false;
  }
}

/** Closes and waits until its processes are gone, so that the next model has the machine to itself. Servers stay. */
export async function closePerfModel(model: PerfModel, backend: Backend, hooks: PerfHooks): Promise<void> {
  const own = backend.identity.kind === 'llama' || backend.identity.kind === 'transformers' ? backend.processIds() : [];
  await backend.close();
  for (let waitedMs = 0; own.some(isAlive) && waitedMs < goneWithinMs; waitedMs += pollMs) await monotonicClock.sleep(pollMs);
  if (own.some(isAlive)) {
    hooks.listener({ kind: 'warning', at: monotonicClock.utc(), message: `${model.key} was still in memory after it was closed` });
  }
  hooks.listener({ kind: 'model-closed', at: monotonicClock.utc(), model: model.key });
}
