// All built-in tasks by name: aliases, groups, parts of a task (`mmlu:anatomy`), and the nearest name for a typo.
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { arcTasks } from './catalogue/arc.ts';
import { bbhTasks } from './catalogue/bbh.ts';
import { codeTasks } from './catalogue/code.ts';
import { commonsenseTasks } from './catalogue/commonsense.ts';
import { glueTasks } from './catalogue/glue.ts';
import { ifevalTasks } from './catalogue/ifeval.ts';
import { languageModellingTasks } from './catalogue/language-modelling.ts';
import { mathematicsTasks } from './catalogue/mathematics.ts';
import { miniTasks } from './catalogue/minis.ts';
import { mmluTasks } from './catalogue/mmlu.ts';
import { readingTasks } from './catalogue/reading.ts';
import { summarisationTasks } from './catalogue/summarisation.ts';
import { textClassificationTasks } from './catalogue/text-classification.ts';
import { truthfulQaTasks } from './catalogue/truthfulqa.ts';
import type { TaskDefinition } from './task-definition.ts';

const tasks: readonly TaskDefinition[] = [
  ...miniTasks,
  ...mmluTasks,
  ...arcTasks,
  ...commonsenseTasks,
  ...glueTasks,
  ...truthfulQaTasks,
  ...mathematicsTasks,
  ...readingTasks,
  ...languageModellingTasks,
  ...codeTasks,
  ...bbhTasks,
  ...ifevalTasks,
  ...textClassificationTasks,
  ...summarisationTasks,
];

/** How a group's score is formed from its tasks. */
export interface TaskGroup {
  readonly name: string;
  readonly description: string;
  readonly tasks: readonly string[];
  /** `documents`: every row counts alike. `tasks`: every task counts alike. */
  readonly weighting: 'documents' | 'tasks';
}

const groupDescriptions: Readonly<Record<string, string>> = {
  mini: 'Built-in samples, no download.',
  quick: 'Built-in samples and three short real tasks: a first look in minutes.',
  knowledge: 'Knowledge over many subjects.',
  commonsense: 'Everyday, physical, social and elementary science reasoning.',
  'open-llm': 'The six tasks of the first Open LLM Leaderboard.',
  glue: 'Sentence classification of GLUE.',
  'super-glue': 'SuperGLUE tasks.',
  truthfulness: 'TruthfulQA in its three forms.',
  math: 'Word problems and competition mathematics.',
  qa: 'Short free answers.',
  'language-modelling': 'Prediction of text.',
  code: 'Programs judged by tests.',
  reasoning: 'BIG-bench Hard.',
  'instruction-following': 'Checkable instructions.',
  classification: 'Sentiment and topic.',
  summarisation: 'Summaries.',
};

/** The built-in groups. Parts of one task (MMLU subjects) are weighted by documents; groups of tasks by tasks. */
export const groups: readonly TaskGroup[] = Object.entries(groupDescriptions).map(([name, description]) => ({
  name,
  description,
  tasks: tasks.filter((task) => task.groups.includes(name)).map((task) => task.name),
  weighting: 'tasks',
}));

/** Short names for a kind of task. The real task wins the name; the built-in sample serves where no source is reachable. */
export const taskAliases: Readonly<Record<string, { readonly task: string; readonly fallback: string }>> = {
  mmlu: { task: 'mmlu', fallback: 'mmlu-mini' },
  commonsense: { task: 'hellaswag', fallback: 'commonsense-mini' },
  coding: { task: 'humaneval', fallback: 'coding-mini' },
  sentiment: { task: 'sst2', fallback: 'sentiment-mini' },
  qa: { task: 'squad', fallback: 'qa-mini' },
  summarisation: { task: 'cnn-dailymail', fallback: 'summarisation-mini' },
};

const byName = new Map(tasks.flatMap((task) => [task.name, ...task.alsoKnownAs].map((name) => [name, task] as const)));

/** All built-in tasks. */
export function listTasks(): readonly TaskDefinition[] {
  return tasks;
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
  const definition = byName.get(alias?.task ?? base);
  if (definition === undefined) return undefined;
  return { definition, category, fallback: alias === undefined ? undefined : byName.get(alias.fallback) };
}
