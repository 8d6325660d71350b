// Built-in tasks by name: aliases, groups, parts of a task (`mmlu:anatomy`), and the nearest name for a typo.
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import type { CatalogueTask } from './catalogue/catalogue-task.ts';
import { groups, listTasks, taskAliases } from './catalogue/task-list.ts';
import { parseTaskDefinition } from './parse-task-definition.ts';
import type { TaskDefinition } from './task-definition.ts';

export { groups, listTasks, taskAliases };

const byName = new Map(listTasks().flatMap((task) => [task.name, ...task.alsoKnownAs].map((name) => [name, task] as const)));

const parsed = new Map<string, TaskDefinition>();

function definitionOf(task: CatalogueTask): TaskDefinition {
  const known = parsed.get(task.name) ?? parseTaskDefinition(task);
  parsed.set(task.name, known);
  return known;
}

export interface FoundTask {
  readonly definition: TaskDefinition;
  /** Part of the task: `anatomy` of `mmlu:anatomy`. */
  readonly category?: string | undefined;
  /** The built-in sample to use where the task's data is not reachable. */
  readonly fallback?: TaskDefinition | undefined;
}

/** Whether a name means a built-in task, group or alias. */
export function isTaskName(name: string): boolean {
  const [base = ''] = name.split(':');
  return byName.has(base) || Object.hasOwn(taskAliases, base) || groups.some((group) => group.name === base);
}

/**
 * The tasks that a name means: one task (`arc-easy`), a part of it (`mmlu:anatomy`), or a group's tasks (`open-llm`).
 * A task or alias wins over a group of the same name.
 * @throws ToolError `not-found` with the nearest name
 */
export function findTasks(name: string): readonly FoundTask[] {
  const single = lookUp(name);
  if (single !== undefined) return [single];
  const group = groups.find((candidate) => candidate.name === name);
  if (group !== undefined) return group.tasks.map((member) => lookUp(member)!);
  const [base = ''] = name.split(':');
  const known = [...byName.keys(), ...Object.keys(taskAliases), ...groups.map((candidate) => candidate.name)];
  throw new ToolError('not-found', `unknown task "${base}"`, {
    hint: `${suggestName(base, known)} slmbench list tasks shows all; a file of your own is named by its path`,
  });
}

/** One task by name. @throws ToolError `not-found`, also for a group (which is several) */
export function findTask(name: string): FoundTask {
  const found = findTasks(name);
  if (found.length === 1) return found[0]!;
  throw new ToolError('not-found', `"${name}" is a group of ${found.length} tasks`, {
    hint: `name one of: ${found.map(({ definition }) => definition.name).join(', ')}`,
  });
}

function lookUp(name: string): FoundTask | undefined {
  const colon = name.indexOf(':');
  const base = colon < 0 ? name : name.slice(0, colon);
  const category = colon < 0 ? undefined : name.slice(colon + 1);
  const alias = Object.hasOwn(taskAliases, base) ? taskAliases[base] : undefined;
  const task = byName.get(alias?.task ?? base);
  if (task === undefined) return undefined;
  const fallback = alias === undefined ? undefined : byName.get(alias.fallback);
  return { definition: definitionOf(task), category, fallback: fallback === undefined ? undefined : definitionOf(fallback) };
}
