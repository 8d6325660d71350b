// Which type of task rows and columns make.
import type { Row } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import type { Json } from '../core/json.ts';
import { suggestName } from '../core/names.ts';
import { type TaskType, taskTypes } from '../core/task.ts';
import type { TaskColumns } from './infer-columns.ts';
import { textOf, valueAt } from './row-values.ts';

export interface TypeFacts {
  /** As the user said it. */
  readonly type?: string | undefined;
  readonly labels?: readonly string[] | undefined;
  readonly classNames?: Readonly<Record<string, readonly string[]>> | undefined;
}

/** Values of a stated `task_type`, as people write them. */
const typeSpellings: Readonly<Record<string, TaskType>> = {
  multiple_choice: 'multiple_choice',
  mcq: 'multiple_choice',
  classification: 'classification',
  sentiment: 'classification',
  qa: 'qa',
  question_answering: 'qa',
  summarization: 'summarization',
  summarisation: 'summarization',
  text_generation: 'text_generation',
  generation: 'text_generation',
  code: 'code',
  coding: 'code',
};

function statedType(rows: readonly Row[]): TaskType | undefined {
  const stated = new Set(
    rows.map((row) =>
      textOf(row.fields['task_type'] ?? row.fields['taskType'])
        .toLowerCase()
        .replace(/^tasktype\./u, '')
        .replace(/[\s-]+/gu, '_'),
    ),
  );
  if (stated.size !== 1) return undefined;
  return typeSpellings[[...stated][0]!];
}

const summaryNames = new Set(['summary', 'highlights', 'abstract']);
const labelNames = new Set(['label', 'class', 'sentiment', 'category_label', 'intent']);
const mostClasses = 50;

/** @throws ToolError `config` for an unknown stated type */
export function inferType(rows: readonly Row[], columns: TaskColumns, options: TypeFacts): TaskType {
  if (options.type !== undefined) return checkedType(options.type);
  const stated = statedType(rows);
  if (stated !== undefined && !(stated === 'multiple_choice' && columns.choices === undefined && columns.target === undefined))
    return stated;
  if (columns.choices !== undefined) return 'multiple_choice';
  const { target } = columns;
  if (target === undefined) return 'language_modelling';
  if (['test', 'tests', 'test_list'].some((name) => rows[0]!.fields[name] !== undefined)) return 'code';
  if (summaryNames.has(target)) return 'summarization';
  if (options.labels !== undefined || options.classNames?.[target] !== undefined || labelNames.has(target)) return 'classification';
  const values = rows.map((row) => valueAt(row.fields, target));
  if (values.every(isLetter) && rows.every((row) => listsOptions(textOf(valueAt(row.fields, columns.input))))) return 'multiple_choice';
  return looksLikeClasses(values, columns) ? 'classification' : 'qa';
}

function checkedType(type: string): TaskType {
  const spelling = type.toLowerCase().replace(/[\s-]+/gu, '_');
  const known = taskTypes.find((candidate) => candidate === spelling) ?? typeSpellings[spelling];
  if (known !== undefined) return known;
  throw new ToolError('config', `unknown task type "${type}"`, { hint: suggestName(type, taskTypes) });
}

function isLetter(value: Json | undefined): boolean {
  return typeof value === 'string' && /^[A-Ja-j]$/u.test(value.trim());
}

function listsOptions(text: string): boolean {
  return /^\s*\(?A[).:]/mu.test(text) && /^\s*\(?B[).:]/mu.test(text);
}

/** Few distinct short texts that recur, under a column that is no question. */
function looksLikeClasses(values: readonly (Json | undefined)[], columns: TaskColumns): boolean {
  if (columns.input === 'question' || columns.context !== undefined || values.length < 4) return false;
  const distinct = new Set(values.map(textOf));
  const areShort = [...distinct].every(
    (text) => text !== '' && text.length <= 40 && text.split(/\s+/u).length <= 4 && !/^-?[\d.,]+$/u.test(text),
  );
  return areShort && distinct.size <= Math.min(mostClasses, values.length / 2);
}
