// A task from bare rows: type, columns and metrics are inferred, said aloud, and every guess can be overruled.
import type { Row } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import type { TaskType } from '../core/task.ts';
import { inferColumns, statedColumns, type TaskColumns } from './infer-columns.ts';
import { inferType } from './infer-type.ts';
import { bodyFor } from './inferred-body.ts';
import { parseTaskDefinition } from './parse-task-definition.ts';
import type { TaskDefinition } from './task-definition.ts';

/** Rows, and what the user said; anything left out is inferred. */
export interface InferenceInput {
  /** Name of the task, from the file name. */
  readonly name: string;
  /** Reference of the dataset, as given. */
  readonly dataset: string;
  readonly rows: readonly Row[];
  readonly split?: string | undefined;
  readonly type?: string | undefined;
  /** Column by role: input (question, prompt, text, document), target (answer, label, summary, expected), choices, context, category. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  readonly labels?: readonly string[] | undefined;
  /** Jinja template of the whole prompt. */
  readonly prompt?: string | undefined;
  readonly metrics?: readonly string[] | undefined;
  readonly classNames?: Readonly<Record<string, readonly string[]>> | undefined;
}

export interface InferredTask {
  readonly definition: TaskDefinition;
  /** What was inferred, one line each, for the user. */
  readonly notes: readonly string[];
}

const inspectedRows = 2000;

/**
 * @throws ToolError `config` when a named column is missing or the columns fit no task or several; the message lists the columns
 * @example inferTask({ name: 'mine', dataset: './mine.jsonl', rows }).definition.type // 'multiple_choice'
 */
export function inferTask(input: InferenceInput): InferredTask {
  const first = input.rows[0];
  if (first === undefined) throw new ToolError('data', `"${input.dataset}" has no rows to infer a task from`);
  const seen = input.rows.slice(0, inspectedRows);
  const names = [...new Set(seen.flatMap((row) => Object.keys(row.fields)))];
  const columns = inferColumns(names, statedColumns(input.columns ?? {}), input.prompt !== undefined, first.fields);
  const type = inferType(seen, columns, input);
  const definition = parseTaskDefinition({
    name: taskName(input.name),
    title: input.name,
    description: `Inferred from ${input.dataset}.`,
    type,
    dataset: { name: input.dataset, split: input.split ?? 'all' },
    ...(columns.category === undefined ? {} : { category: columns.category }),
    ...bodyFor(type, columns, input),
  });
  return { definition, notes: notesOn(type, columns, definition) };
}

function notesOn(type: TaskType, columns: TaskColumns, definition: TaskDefinition): readonly string[] {
  const used = [
    `input "${columns.input}"`,
    columns.context === undefined ? '' : `context "${columns.context}"`,
    columns.choices === undefined ? '' : `options ${JSON.stringify(columns.choices)}`,
    columns.target === undefined ? '' : `answer "${columns.target}"`,
    columns.category === undefined ? '' : `category "${columns.category}"`,
  ].filter((part) => part !== '');
  const metrics = definition.metrics.map((use) => (typeof use === 'string' ? use : use.name)).join(', ');
  const labels = definition.labels === undefined ? [] : [`labels: ${definition.labels.join(', ')}`];
  return [
    `task type: ${type} (${definition.kind})`,
    `columns: ${used.join(', ')}`,
    ...labels,
    `metrics: ${metrics}, shown: ${definition.primaryMetric}`,
  ];
}

function taskName(text: string): string {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/gu, '-')
    .replace(/^[^a-z0-9]+|-+$/gu, '');
  return name === '' ? 'task' : name;
}
