// Finds the judges of the tasks that are graded by language models, before anything runs; a task without judges is an error.
import { openBackend } from '../backends/registry.ts';
import { type ResolvedModel, resolveModel } from '../backends/resolve-model.ts';
import type { RunSettings } from '../config/run-recipe.ts';
import { ToolError } from '../core/errors.ts';
import type { Protocol } from '../core/task.ts';
import { bodyOf, type JudgeRule, type TaskDefinition } from '../tasks/task-definition.ts';
import type { Judge, JudgePanel } from './judge-grader.ts';
import type { Workspace } from './workspace.ts';

export interface PreparedJudges {
  /** By task key; empty where no task is judged. */
  readonly panels: ReadonlyMap<string, JudgePanel>;
  /** Which model each judge is, for the record. */
  readonly notes: readonly string[];
}

interface JudgedTask {
  readonly definition: TaskDefinition;
  readonly task: { readonly key: string; readonly protocol: Protocol };
}

/** The task with the recipe's judges in place of its own, so that they are part of its digest. */
export function withJudges(definition: TaskDefinition, judges: readonly string[] | undefined): TaskDefinition {
  const { judge } = definition;
  return judge === undefined || judges === undefined ? definition : { ...definition, judge: { ...judge, judges: [...judges] } };
}

function judgesOf(task: string, rule: JudgeRule): readonly string[] {
  const named = rule.judges ?? [];
  if (named.length > 0) return named;
  throw new ToolError('config', `task "${task}" is graded by judges, but none is named`, {
    hint: 'name models that grade: --judge MODEL, `judges: [MODEL]` in the recipe, or `judge.judges` in the task',
  });
}

export async function prepareJudges(tasks: readonly JudgedTask[], settings: RunSettings, workspace: Workspace): Promise<PreparedJudges> {
  const rules = tasks.flatMap(({ definition, task }) => {
    const { judge } = bodyOf(definition, task.protocol);
    return judge === undefined ? [] : [{ key: task.key, rule: judge, judges: judgesOf(definition.name, judge) }];
  });
  const models = new Map<string, ResolvedModel>();
  for (const reference of new Set(rules.flatMap(({ judges }) => judges))) {
    models.set(reference, await resolveModel(reference, { ...workspace.sources, userEntries: workspace.userModels }));
  }
  const judgeOf = (reference: string): Judge => {
    const model = models.get(reference)!;
    const { threads, gpuLayers, seed, timeoutMs } = settings;
    return { name: model.key, open: () => openBackend(model, { threads, gpuLayers, seed, requestTimeoutMs: timeoutMs }) };
  };
  return {
    panels: new Map(rules.map(({ key, rule: { rubric, scale }, judges }) => [key, { rubric, scale, judges: judges.map(judgeOf) }])),
    notes: [...models.values()].map(({ key, reference, facts }) => `judge ${key}: ${reference}, ${facts.digest ?? 'digest unknown'}`),
  };
}
