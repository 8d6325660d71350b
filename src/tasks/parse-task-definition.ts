// Checks a task that a user wrote and explains each mistake: where, what was expected, and the nearest valid name.
import type { z } from 'zod';
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { checkTemplate } from '../templating/render-template.ts';
import { bodyOf, type TaskBody, type TaskDefinition, taskDefinitionSchema } from './task-definition.ts';

/** One mistake in a task file. */
export interface TaskProblem {
  /** Where: `fewShot.count`; '' for the whole file. */
  readonly path: string;
  readonly message: string;
  readonly hint?: string | undefined;
}

export type TaskCheck =
  | { readonly kind: 'valid'; readonly definition: TaskDefinition; readonly notes: readonly TaskProblem[] }
  | { readonly kind: 'invalid'; readonly problems: readonly TaskProblem[] };

/** Explains a task object for `tasks validate`: every mistake at once, and notes on what is legal but odd. */
export function explainTaskDefinition(value: unknown): TaskCheck {
  const parsed = taskDefinitionSchema.safeParse(value);
  if (!parsed.success) return { kind: 'invalid', problems: parsed.error.issues.flatMap((issue) => problemsOf(issue)) };
  const problems = [...protocolsOf(parsed.data)].flatMap(([path, body]) => bodyProblems(path, body));
  if (problems.length > 0) return { kind: 'invalid', problems };
  return { kind: 'valid', definition: parsed.data, notes: notesOn(parsed.data) };
}

/** A checked definition. @throws ToolError `config` that lists every mistake */
export function parseTaskDefinition(value: unknown): TaskDefinition {
  const check = explainTaskDefinition(value);
  if (check.kind === 'valid') return check.definition;
  const lines = check.problems.map(
    ({ path, message, hint }) => `${path === '' ? 'task' : path}: ${message}${hint === undefined ? '' : ` (${hint})`}`,
  );
  throw new ToolError('config', `the task definition is wrong:\n  ${lines.join('\n  ')}`, {
    hint: 'slmbench tasks validate FILE explains a task file',
  });
}

function problemsOf(issue: z.core.$ZodIssue): readonly TaskProblem[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(issue.path);
    return issue.keys.map((key) => ({
      path: path === '' ? key : `${path}.${key}`,
      message: 'unknown key',
      hint: known.length > 0 ? suggestName(key, known) : undefined,
    }));
  }
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    const nearest = issue.errors.reduce((best, errors) => (errors.length > 0 && deepest(errors) > deepest(best) ? errors : best));
    const inner = nearest[0];
    if (inner !== undefined && inner.path.length > 0)
      return problemsOf({ ...inner, path: [...issue.path, ...inner.path] } as z.core.$ZodIssue);
  }
  return [{ path, message: messageOf(issue) }];
}

/** The schema library's message without what only its users know. */
function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_value') return `expected one of: ${issue.values.map(String).join(', ')}`;
  const text = issue.message.replace(/^Invalid input: /, '');
  return text.endsWith(', received undefined') ? `is missing (${text.replace(', received undefined', '')})` : text;
}

function deepest(issues: readonly { readonly path: readonly PropertyKey[] }[]): number {
  return Math.max(...issues.map((issue) => issue.path.length));
}

interface SchemaNode {
  readonly shape?: Readonly<Record<string, SchemaNode>>;
  readonly unwrap?: () => SchemaNode;
}

/** Valid keys of the object at a path of the schema. */
function keysAt(path: readonly PropertyKey[]): readonly string[] {
  let node: SchemaNode | undefined = taskDefinitionSchema as unknown as SchemaNode;
  for (const part of path) node = unwrapped(node)?.shape?.[String(part)];
  return Object.keys(unwrapped(node)?.shape ?? {});
}

function unwrapped(node: SchemaNode | undefined): SchemaNode | undefined {
  let inner = node;
  while (inner !== undefined && inner.shape === undefined && inner.unwrap !== undefined) inner = inner.unwrap();
  return inner;
}

function* protocolsOf(definition: TaskDefinition): Generator<readonly [string, TaskBody]> {
  yield [definition.variants.native === undefined ? '' : 'variants.native.', bodyOf(definition, 'native')];
  if (definition.variants.lmEval !== undefined) yield ['variants.lmEval.body.', bodyOf(definition, 'lm-eval')];
}

/** What the schema cannot say: which members belong together, and whether templates parse. */
function bodyProblems(path: string, body: TaskBody): readonly TaskProblem[] {
  const problems: TaskProblem[] = [...templateProblems(path, body)];
  const need = (isMissing: boolean, member: string, why: string): void => {
    if (isMissing) problems.push({ path: path + member, message: `is needed: ${why}` });
  };
  const isChoice = body.kind === 'choose' || body.kind === 'choose-letter';
  need(isChoice && body.choices === undefined, 'choices', `kind "${body.kind}" chooses among options`);
  need(isChoice && body.gold === undefined, 'gold', `kind "${body.kind}" needs the right option`);
  need(body.contexts !== undefined && body.continuation === undefined, 'continuation', 'it follows each of "contexts"');
  need(body.parser.kind === 'regex' && body.parser.pattern === undefined, 'parser.pattern', 'parser "regex" reads by it');
  need(
    body.parser.kind === 'entities' && body.target === undefined && body.references === undefined,
    'references',
    'entities are compared with them',
  );
  const hasLabels = body.labels !== undefined || body.gold !== undefined;
  need(
    body.kind === 'generate' && body.parser.kind.endsWith('label') && !hasLabels,
    'labels',
    `parser "${body.parser.kind}" reads one of them`,
  );
  need(body.judge === undefined && (body.graders as readonly string[]).includes('judge'), 'judge', 'grader "judge" grades by its rubric');
  const names = body.metrics.map((use) => (typeof use === 'string' ? use : use.name));
  if (!names.some((name) => yields(name, body.primaryMetric))) {
    problems.push({
      path: `${path}primaryMetric`,
      message: `"${body.primaryMetric}" is not among the metrics`,
      hint: suggestName(body.primaryMetric, names),
    });
  }
  for (const label of Object.keys(body.aliases ?? {})) {
    if (body.labels !== undefined && !body.labels.includes(label)) {
      problems.push({ path: `${path}aliases.${label}`, message: 'is not a label', hint: suggestName(label, body.labels) });
    }
  }
  return problems;
}

/** Whether a metric yields a value of that name: its own, an average of it (`f1:macro`), or one of a report. */
function yields(metric: string, value: string): boolean {
  return metric === 'classification' || value === metric || value.startsWith(`${metric}:`);
}

function templateProblems(path: string, body: TaskBody): readonly TaskProblem[] {
  const lists = { choices: body.choices, references: body.references };
  const templates: (readonly [string, string | undefined])[] = [
    ['prompt', body.prompt],
    ['system', body.system],
    ['preamble', body.preamble],
    ['question', body.question],
    ['target', body.target],
    ['continuation', body.continuation],
    ['assemble', body.assemble],
    ['fewShot.prompt', body.fewShot.prompt],
    ['fewShot.target', body.fewShot.target],
    ...Object.entries(lists).flatMap(([name, list]) =>
      Array.isArray(list) ? list.map((item, index) => [`${name}.${index}`, item] as const) : [],
    ),
  ];
  return templates.flatMap(([name, template]) => {
    if (template === undefined) return [];
    try {
      checkTemplate(template, { name });
      return [];
    } catch (thrown) {
      return ToolError.isInstance(thrown) ? [{ path: path + name, message: thrown.message, hint: thrown.hint }] : [];
    }
  });
}

function notesOn(definition: TaskDefinition): readonly TaskProblem[] {
  const notes: TaskProblem[] = [];
  const { fewShotSplit, split } = definition.dataset;
  if (definition.fewShot.count > 0 && definition.fewShot.samples === undefined && (fewShotSplit === undefined || fewShotSplit === split)) {
    notes.push({ path: 'dataset.fewShotSplit', message: 'shots come from the evaluated split; each row is shown others than itself' });
  }
  if (definition.licence === 'unknown') notes.push({ path: 'licence', message: 'is unknown, so prediction files are not published' });
  if (/\s$/u.test(definition.prompt) && definition.kind === 'choose') {
    notes.push({ path: 'prompt', message: 'ends in white space, which is scored with the option instead' });
  }
  return notes;
}
