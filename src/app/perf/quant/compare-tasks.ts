// Task quality of every quantisation: one evaluation of all, then paired tests against the reference.
import { compareRuns } from '../../compare.ts';
import { evaluateRequest } from '../../evaluate-request.ts';
import { openWorkspace } from '../../workspace.ts';
import type { PerfHooks } from '../perf-request.ts';
import type { QuantTask } from './quant-schema.ts';
import type { QuantRequest } from './run-quant.ts';

export async function compareTasks(
  members: readonly { readonly key: string; readonly path: string }[],
  request: QuantRequest,
  hooks: PerfHooks,
): Promise<{ readonly tasks: readonly QuantTask[]; readonly run: string }> {
  const result = await evaluateRequest(
    {
      assignments: [],
      models: members.map(({ path }) => `file:${path}`),
      tasks: request.tasks,
      settings: { samples: request.samples, seed: request.seed, ...(request.threads === null ? {} : { threads: request.threads }) },
      generation: {},
      adapters: [],
      dataFile: { columns: [] },
      output: request.output,
      dryRun: false,
      force: false,
      fresh: false,
      offline: request.offline,
      commandLine: request.commandLine,
    },
    { listener: hooks.listener, finish: hooks.signal },
  );
  if (result.kind !== 'record') return { tasks: [], run: '' };
  const reference = result.record.models[0]!.key;
  const workspace = await openWorkspace({ output: request.output, offline: true });
  const comparison = await compareRuns([result.folder], { workspace, baseline: reference });
  // The evaluation names models by their files; our names are in the same order.
  const nameOf = new Map(result.record.models.map((model, index) => [model.key, members[index]?.key ?? model.key]));
  const tasks = comparison.tasks.map(
    ({ task, results }): QuantTask => ({
      task: task.key,
      metric: task.primaryMetric,
      results: results.map(({ contender, primary, against, adjustedP, verdict }) => ({
        model: nameOf.get(contender.model) ?? contender.model,
        value: primary?.value ?? null,
        n: primary?.n ?? 0,
        difference: against?.difference ?? null,
        interval: against?.interval == null ? null : { low: against.interval.low, high: against.interval.high },
        adjustedP,
        minimumDetectable: against?.minimumDetectable ?? null,
        verdict,
      })),
    }),
  );
  return { tasks, run: result.record.id };
}
