// The first run of a new user: a real small model on the built-in suites and on real data; the toy model where nothing can be fetched.
import { resolveModel } from '../backends/resolve-model.ts';
import { ToolError } from '../core/errors.ts';
import { builtinSuiteNames, firstModel } from './available.ts';
import { evaluateRequest } from './evaluate-request.ts';
import type { EvaluationHooks, EvaluationRequest, EvaluationResult } from './evaluation-request.ts';
import { openWorkspace } from './workspace.ts';

export interface QuickstartRequest {
  readonly threads?: number | undefined;
  readonly output?: string | undefined;
  readonly offline: boolean;
  readonly commandLine: string;
}

export interface QuickstartResult {
  readonly result: EvaluationResult;
  /** Shown above the table; null when the real model ran. */
  readonly heading: string | null;
}

const realTask = 'arc-easy';
const realItems = 50;

function request(from: QuickstartRequest, model: string, tasks: readonly string[]): EvaluationRequest {
  return {
    assignments: [],
    models: [model],
    tasks,
    settings: { samples: realItems, threads: from.threads, maxErrorRate: 0 },
    generation: { maxTokens: 96 },
    adapters: [],
    dataFile: { columns: [] },
    name: 'quickstart',
    output: from.output,
    dryRun: false,
    force: false,
    fresh: false,
    offline: from.offline,
    commandLine: from.commandLine,
  };
}

async function isReachable(model: string, from: QuickstartRequest, hooks: EvaluationHooks): Promise<ToolError | null> {
  const workspace = await openWorkspace({ offline: from.offline, output: from.output, listener: hooks.listener, signal: hooks.finish });
  try {
    await resolveModel(model, { ...workspace.sources, userEntries: workspace.userModels });
    return null;
  } catch (thrown) {
    if (ToolError.isInstance(thrown) && (thrown.code === 'unavailable' || thrown.code === 'access' || thrown.code === 'transport'))
      return thrown;
    throw thrown;
  }
}

/** Runs the quickstart. With no source reachable the toy model goes through the same engine, and the heading says so. */
export async function quickstart(from: QuickstartRequest, hooks: EvaluationHooks): Promise<QuickstartResult> {
  const missing = await isReachable(firstModel, from, hooks);
  if (missing === null) {
    return { heading: null, result: await evaluateRequest(request(from, firstModel, [...builtinSuiteNames, realTask]), hooks) };
  }
  hooks.listener?.({ kind: 'warning', at: new Date().toISOString(), message: `${firstModel} cannot be fetched: ${missing.message}` });
  const heading =
    `TOY MODEL: ${firstModel} could not be fetched, so a generated toy model ran through the same engine.\n` +
    'Its scores show how the tool works and say nothing about any model.\n' +
    `What to do: connect to a hub or package index and run again, or name a file you have: slmbench run -m ./model.gguf -d mmlu-mini\n`;
  const suites = builtinSuiteNames.filter((name) => name !== 'coding-mini' && name !== 'summarisation-mini');
  return { heading, result: await evaluateRequest(request(from, 'toy', suites), hooks) };
}
