// Binds a task definition to dataset rows: the point where prompts, shots, requests and reading become one runnable task.
import type { Row } from '../core/dataset.ts';
import { digestOf } from '../core/digest.ts';
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import type { MetricUse, Protocol, RequestKind, RunnableTask } from '../core/task.ts';
import type { TurnRules } from './build-turns.ts';
import { documentOf, questionText, referencesOf } from './document.ts';
import { planShots, type ShotPlan } from './few-shot.ts';
import { prepareSample } from './prepare-sample.ts';
import { readSample } from './read-sample.ts';
import { textOf, valueAt } from './row-values.ts';
import { bodyOf, type TaskBody, type TaskDefinition } from './task-definition.ts';

export interface BindInput {
  /** The whole evaluated split, in order: few-shot draws of lm-eval depend on the position of a row. */
  readonly rows: readonly Row[];
  /** Rows that shots are drawn from. @default rows */
  readonly fewShotRows?: readonly Row[] | undefined;
  readonly protocol: Protocol;
  /** Number of shots. @default the task's own */
  readonly shots?: number | undefined;
  readonly seed: number;
  /** Names of integer class labels by column, from the dataset. */
  readonly classNames?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Another way to ask: `choose` by log-likelihood or `choose-letter` by generation. */
  readonly requestKind?: RequestKind | undefined;
  /** Only this part of the task (`mmlu:anatomy`). */
  readonly category?: string | undefined;
  /** Draw shots anew for each row. @default the task's own */
  readonly shotsPerDocument?: boolean | undefined;
  /** In chat, put all shots into one user message. @default false */
  readonly flatShots?: boolean | undefined;
}

export interface BoundTask extends RunnableTask {
  /** What the user should know about the binding, one line each. */
  readonly notes: readonly string[];
}

/**
 * Makes a definition runnable.
 * @throws ToolError `data` for unusable rows, `config` for impossible settings, `unsupported` where lm-eval lacks the task
 */
export function bindTask(definition: TaskDefinition, input: BindInput): BoundTask {
  const { protocol } = input;
  if (protocol === 'lm-eval' && definition.variants.lmEval === undefined) throw notInLmEval(definition);
  const declared = bodyOf(definition, protocol);
  const body: TaskBody =
    input.shotsPerDocument === undefined
      ? declared
      : { ...declared, fewShot: { ...declared.fewShot, perDocument: input.shotsPerDocument } };
  const kind = kindOf(definition, body, input.requestKind);
  const rows = rowsOf(definition, input.rows, input.category);
  const labels = labelsOf(definition, body, rows, input.classNames);
  const rules: TurnRules = { body, labels, kind, toleratesBadGold: protocol === 'lm-eval' };
  checkRows(rows, rules, input.rows);
  checkPrompt(rows[0]!, rules);
  const shots = shotsOf(definition, body, rules, rows, input);
  return assemble(definition, input, rules, rows, shots);
}

function assemble(definition: TaskDefinition, input: BindInput, rules: TurnRules, rows: readonly Row[], shots: ShotPlan): BoundTask {
  const { body, kind, labels } = rules;
  const { protocol, category } = input;
  const lmEval = definition.variants.lmEval;
  const version = protocol === 'lm-eval' && lmEval !== undefined ? lmEval.version : definition.version;
  const positions = new Map(rows.map((row, index) => [row.id, index]));
  const flat = input.flatShots ?? false;
  const shaping = { name: definition.name, version, body, kind, labels, protocol, category: category ?? null, flat, shots: shots.ids };
  return {
    key: `${definition.name}${category === undefined ? '' : `:${category}`}${protocol === 'lm-eval' ? '@lm-eval' : ''}`,
    name: definition.name,
    version,
    title: category === undefined ? definition.title : `${definition.title}: ${category}`,
    kind,
    type: definition.type,
    protocol,
    groups: definition.groups,
    digest: digestOf(shaping),
    rows,
    fewShotIds: shots.ids,
    metrics: body.metrics.map((use) => metricOf(use, protocol)),
    primaryMetric: body.primaryMetric,
    graders: body.judge === undefined ? body.graders : [...new Set([...body.graders, 'judge'])],
    ...(labels.length > 0 ? { labels } : {}),
    defaultGeneration: { ...body.generation, ...(body.stop.length > 0 ? { stop: body.stop } : {}) },
    notes: shots.notes,
    prepare: (row, context) => {
      const position = positions.get(row.id);
      return prepareSample(definition, rules, row, position === undefined ? [] : shots.shotsFor(position), { ...context, protocol }, flat);
    },
    read: (sample, answer, row) => readSample(rules, sample, answer, row),
  };
}

const rankMetrics: ReadonlySet<string> = new Set(['acc', 'acc_norm', 'acc_bytes', 'acc_mutual_info']);

/** lm-eval gives a tie to its first option; native shares it. */
function metricOf(use: TaskBody['metrics'][number], protocol: Protocol): MetricUse {
  const full = typeof use === 'string' ? { name: use } : use;
  return protocol === 'lm-eval' && rankMetrics.has(full.name) ? { ...full, options: { ...full.options, ties: 'first' } } : full;
}

function notInLmEval(definition: TaskDefinition): ToolError {
  return new ToolError('unsupported', `lm-evaluation-harness has no task "${definition.name}", so there is no lm-eval protocol for it`, {
    hint: 'use --protocol native',
  });
}

function kindOf(definition: TaskDefinition, body: TaskBody, wanted: RequestKind | undefined): RequestKind {
  if (wanted === undefined || wanted === body.kind) return body.kind;
  const isChoice = (kind: RequestKind): boolean => kind === 'choose' || kind === 'choose-letter';
  const canLetter =
    body.choices !== undefined &&
    body.gold !== undefined &&
    !('fixed' in body.gold && body.kind === 'choose' && !body.shuffleChoices && definition.type === 'language_modelling');
  if (isChoice(body.kind) && isChoice(wanted) && canLetter) return wanted;
  throw new ToolError('config', `task "${definition.name}" is asked by "${body.kind}" and cannot be asked by "${wanted}"`, {
    hint: isChoice(body.kind)
      ? 'choose and choose-letter can replace each other where a task has options'
      : `leave the request kind at "${body.kind}"`,
  });
}

function rowsOf(definition: TaskDefinition, rows: readonly Row[], category: string | undefined): readonly Row[] {
  if (rows.length === 0)
    throw new ToolError('data', `dataset "${definition.dataset.name}" has no rows in split "${definition.dataset.split}"`);
  if (category === undefined) return rows;
  const column = definition.category;
  if (column === undefined)
    throw new ToolError('config', `task "${definition.name}" has no categories`, { hint: `use "${definition.name}" alone` });
  const wanted = foldCategory(category);
  const chosen = rows.filter((row) => foldCategory(textOf(valueAt(row.fields, column))) === wanted);
  if (chosen.length > 0) return chosen;
  const known = new Set(rows.map((row) => textOf(valueAt(row.fields, column))));
  throw new ToolError('not-found', `task "${definition.name}" has no category "${category}"`, { hint: suggestName(category, known) });
}

function foldCategory(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/gu, '_');
}

/** Declared labels, else the dataset's class names, else (classification read from text) the distinct gold values. */
function labelsOf(
  definition: TaskDefinition,
  body: TaskBody,
  rows: readonly Row[],
  classNames: BindInput['classNames'],
): readonly string[] {
  if (body.labels !== undefined) return body.labels;
  if (body.choices !== undefined) return definition.type === 'classification' && Array.isArray(body.choices) ? body.choices : [];
  const column = body.gold !== undefined && 'column' in body.gold ? body.gold.column : undefined;
  if (column === undefined) return [];
  const named = classNames?.[column];
  if (named !== undefined) return named;
  const values = rows.flatMap((row) => {
    const value = valueAt(row.fields, column);
    return Array.isArray(value) ? value.map(textOf) : [textOf(value)];
  });
  return [...new Set(values.map((value) => value.trim()).filter((value) => value !== ''))].sort();
}

const shownProblems = 3;

/** Each row must be usable before anything runs; the first few that are not are named together, by their place in the split. */
function checkRows(rows: readonly Row[], rules: TurnRules, split: readonly Row[]): void {
  const problems: string[] = [];
  let count = 0;
  for (const row of rows) {
    const problem = problemOf(row, rules);
    if (problem === undefined) continue;
    count++;
    if (problems.length < shownProblems)
      problems.push(problem.replace(`row ${row.id}`, () => `row ${split.indexOf(row) + 1} (id ${row.id})`));
  }
  if (count === 0) return;
  const more = count > problems.length ? `; and ${count - problems.length} more rows` : '';
  throw new ToolError('data', `${problems.join('; ')}${more}`, {
    hint: 'every row needs a right answer that can be reached: check the column names and the split, or leave those rows out of the data',
  });
}

/** A name that no column has is told before a model is loaded. @throws ToolError `template` */
function checkPrompt(row: Row, rules: TurnRules): void {
  if (rules.kind === 'choose-letter' || rules.body.contexts !== undefined) return;
  questionText(documentOf(row, rules), rules.body.prompt);
}

function problemOf(row: Row, rules: TurnRules): string | undefined {
  try {
    const document = documentOf(row, rules);
    const { body } = rules;
    const needsReference = rules.kind === 'generate' && document.options.length === 0 && (body.references ?? body.target) !== undefined;
    if (needsReference && !rules.toleratesBadGold && referencesOf(document, body).length === 0)
      return `row ${row.id}: empty gold: the expected answer is empty`;
    const needsChoice = (rules.kind === 'choose' || rules.kind === 'choose-letter') && body.gold !== undefined;
    if (needsChoice && !rules.toleratesBadGold && document.gold.length === 0) return `row ${row.id}: empty gold: no option is named`;
    return undefined;
  } catch (thrown) {
    if (ToolError.isInstance(thrown) && thrown.code === 'data') return thrown.message;
    throw thrown;
  }
}

function shotsOf(definition: TaskDefinition, body: TaskBody, rules: TurnRules, rows: readonly Row[], input: BindInput): ShotPlan {
  const count = input.shots ?? body.fewShot.count;
  if (body.fewShot.locked && input.shots !== undefined && input.shots !== body.fewShot.count) {
    throw new ToolError('config', `task "${definition.name}" is defined with ${body.fewShot.count} shots; ${input.shots} are not possible`);
  }
  if (!Number.isInteger(count) || count < 0) throw new ToolError('usage', `number of shots must be 0 or more, not ${count}`);
  const column = definition.category;
  const template = body.question ?? body.prompt;
  return planShots({
    taskName: definition.name,
    protocol: input.protocol,
    rule: body.fewShot,
    count,
    seed: input.seed,
    rows,
    pool: input.fewShotRows ?? input.rows,
    categoryOf: (row) => (column === undefined ? '' : textOf(valueAt(row.fields, column))),
    questionOf: (row) => questionText(documentOf(row, { ...rules, toleratesBadGold: true }), template),
  });
}
