// One dataset row seen through a task: prepared columns, options, gold answer and the texts of its turn.
import type { Row } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import type { SampleFacts } from '../core/task.ts';
import { renderTemplate } from '../templating/render-template.ts';
import { wordsFrom } from './few-shot.ts';
import { PythonRandom } from './python-random.ts';
import { goldOf, listOf, optionKeysOf, optionLetters, optionsOf, requiredAt, textOf, valueAt, variablesOf } from './row-values.ts';
import type { TaskBody } from './task-definition.ts';
import { applyTransform } from './transforms/apply-transform.ts';

export interface TaskDocument {
  readonly row: Row;
  /** Columns after the task's transform. */
  readonly fields: JsonObject;
  readonly options: readonly string[];
  /** Indices of right options; empty for tasks without options, or (lm-eval) where the data has no reachable one. */
  readonly gold: readonly number[];
}

export interface DocumentRules {
  readonly body: TaskBody;
  /** Declared labels of a classification task; [] otherwise. */
  readonly labels: readonly string[];
  /** lm-eval scores an unreachable gold answer 0; native refuses the row. */
  readonly toleratesBadGold: boolean;
}

/** Reads a row. @throws ToolError `data` for a row whose options or gold answer cannot be used */
export function documentOf(row: Row, rules: DocumentRules): TaskDocument {
  const { body } = rules;
  const fields = applyTransform(body.transform, row.fields);
  const listed = body.choices === undefined ? rules.labels : optionsOf(row, fields, body.choices);
  if (body.choices !== undefined) checkOptions(row, listed, body);
  const gold = readGold(row, fields, listed, rules);
  if (!body.shuffleChoices || listed.length < 2) return { row, fields, options: listed, gold };
  const order = new PythonRandom(wordsFrom(`options:${row.id}`)).sample(listed.length, listed.length);
  return { row, fields, options: order.map((index) => listed[index]!), gold: gold.map((index) => order.indexOf(index)) };
}

function checkOptions(row: Row, options: readonly string[], body: TaskBody): void {
  const limit = body.score === 'letter' || body.kind === 'choose-letter' ? optionLetters.length : 1000;
  // A generative task may have options in some rows only (BIG-bench Hard).
  if (options.length === 0 && body.kind !== 'generate') throw new ToolError('data', `row ${row.id} has no options`);
  if (options.length > limit)
    throw new ToolError('data', `row ${row.id} has ${options.length} options; at most ${limit} are possible here`);
}

function readGold(row: Row, fields: JsonObject, options: readonly string[], rules: DocumentRules): readonly number[] {
  const rule = rules.body.gold;
  if (rule === undefined || options.length === 0) return [];
  try {
    return goldOf(row, fields, rule, options, optionKeysOf(fields, rules.body.choices));
  } catch (thrown) {
    if (rules.toleratesBadGold) return [];
    throw thrown;
  }
}

/** The user's turn. */
export function questionText(document: TaskDocument, template: string): string {
  return renderTemplate(template, variablesOf(document.fields));
}

/** Accepted answers of a text task, blank ones left out. */
export function referencesOf(document: TaskDocument, body: TaskBody): readonly string[] {
  if (body.references !== undefined) return listOf(document.row, document.fields, body.references).filter((text) => text.trim() !== '');
  if (body.target === undefined) return [];
  const target = renderTemplate(body.target, variablesOf(document.fields));
  return target.trim() === '' ? [] : [target];
}

/** Named extra facts of a row. */
export function extraOf(document: TaskDocument, body: TaskBody): NonNullable<SampleFacts['extra']> {
  const members = Object.entries(body.extra).map(([name, path]) => [name, requiredAt(document.row, document.fields, path)]);
  const humanLabel = body.judge?.humanLabel === undefined ? undefined : valueAt(document.fields, body.judge.humanLabel);
  return { ...Object.fromEntries(members), ...(humanLabel === undefined ? {} : { humanLabel }) };
}

/** Text of an optional column. */
export function optionalText(document: TaskDocument, path: string | undefined): string | undefined {
  const value = path === undefined ? undefined : valueAt(document.fields, path);
  return value === undefined || value === null ? undefined : textOf(value);
}
