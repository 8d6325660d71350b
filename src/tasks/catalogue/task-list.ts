// All built-in tasks, groups and short names as plain data; loads no parser, so that listing is quick.
import { arcTasks } from './arc.ts';
import { bbhTasks } from './bbh.ts';
import type { CatalogueTask } from './catalogue-task.ts';
import { codeTasks } from './code.ts';
import { commonsenseTasks } from './commonsense.ts';
import { glueTasks } from './glue.ts';
import { ifevalTasks } from './ifeval.ts';
import { languageModellingTasks } from './language-modelling.ts';
import { mathematicsTasks } from './mathematics.ts';
import { miniTasks } from './minis.ts';
import { mmluTasks } from './mmlu.ts';
import { readingTasks } from './reading.ts';
import { summarisationTasks } from './summarisation.ts';
import { textClassificationTasks } from './text-classification.ts';
import { truthfulQaTasks } from './truthfulqa.ts';

const tasks: readonly CatalogueTask[] = [
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

/** All built-in tasks, unparsed: `findTask` of the registry gives the full definition. */
export function listTasks(): readonly CatalogueTask[] {
  return tasks;
}
