// Which column of a data file plays which part.
import { ToolError } from '../core/errors.ts';
import type { JsonObject } from '../core/json.ts';
import { suggestName } from '../core/names.ts';

/** The columns that a task uses. */
export interface TaskColumns {
  readonly input: string;
  readonly target: string | undefined;
  readonly choices: string | readonly string[] | undefined;
  readonly context: string | undefined;
  readonly category: string | undefined;
}

type Role = keyof TaskColumns;

/** Names under which people state a role. */
const roleNames: Readonly<Record<Role, readonly string[]>> = {
  input: ['input', 'question', 'prompt', 'text', 'document', 'instruction'],
  target: ['target', 'answer', 'answers', 'label', 'expected', 'summary', 'reference', 'references', 'gold'],
  choices: ['choices', 'options'],
  context: ['context', 'passage'],
  category: ['category', 'subject'],
};

/** What the user stated, by role. @throws ToolError `usage` for an unknown role */
export function statedColumns(columns: Readonly<Record<string, string>>): Partial<Record<Role, string>> {
  const roles = Object.entries(roleNames) as [Role, readonly string[]][];
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => {
      const role = roles.find(([, spellings]) => spellings.includes(name))?.[0];
      if (role !== undefined) return [role, column];
      throw new ToolError('usage', `unknown column role "${name}"`, { hint: suggestName(name, Object.values(roleNames).flat()) });
    }),
  );
}

const inputNames = [
  'question',
  'prompt',
  'instruction',
  'input',
  'text',
  'sentence',
  'document',
  'article',
  'dialogue',
  'query',
  'problem',
  'review',
  'content',
];
const targetNames = [
  'answer',
  'answers',
  'expected',
  'label',
  'target',
  'output',
  'summary',
  'highlights',
  'gold',
  'reference',
  'references',
  'answerKey',
  'answer_key',
  'correct_answer',
  'response',
  'completion',
  'ideal',
  'class',
  'category_label',
];
const choiceNames = ['choices', 'options', 'candidates', 'endings'];
const contextNames = ['context', 'passage', 'background', 'story'];
const categoryNames = ['category', 'subject', 'topic'];
/** Columns that describe a row and are never its input or answer. */
const ignoredNames = new Set([
  'id',
  'idx',
  'index',
  'metadata',
  'task_type',
  'taskType',
  'source',
  'difficulty',
  'split',
  'title',
  'language',
]);
/** @throws ToolError `config` when a stated column is missing or only the user can tell which one is meant */
export function inferColumns(
  names: readonly string[],
  stated: Partial<Record<Role, string>>,
  hasPrompt: boolean,
  fields: JsonObject,
): TaskColumns {
  const context = pick('context', names, contextNames, stated.context, [], false);
  const lettered = letteredColumns(names);
  const choices = pick('choices', names, choiceNames, stated.choices, [], false) ?? lettered;
  const taken = [context, ...(typeof choices === 'string' ? [choices] : [])].filter((name) => name !== undefined);
  const input =
    hasPrompt && stated.input === undefined ? firstOf(names, inputNames) : pick('input', names, inputNames, stated.input, taken, true);
  const target =
    pick('target', names, targetNames, stated.target, [...taken, ...(input === undefined ? [] : [input])], false) ??
    lonelyTarget(names, input, taken, fields);
  const category = pick('category', names, categoryNames, stated.category, [], false);
  return {
    input: input ?? names[0]!,
    target,
    choices,
    context: context === input ? undefined : context,
    category: category === target ? undefined : category,
  };
}

function firstOf(names: readonly string[], known: readonly string[]): string | undefined {
  return known.find((name) => names.includes(name));
}

/** `A`, `B`, `C`, `D` or `option_a`... as columns of their own. */
function letteredColumns(names: readonly string[]): readonly string[] | undefined {
  for (const prefix of ['', 'option', 'option_', 'choice', 'choice_', 'opt_']) {
    for (const marks of ['ABCDEFGHIJ', 'abcdefghij', '123456789', '0123456789']) {
      if (prefix === '' && marks !== 'ABCDEFGHIJ') continue;
      const found = [...marks].map((mark) => prefix + mark);
      const count = found.findIndex((name) => !names.includes(name));
      const columns = found.slice(0, count < 0 ? found.length : count);
      if (columns.length >= 2) return columns;
    }
  }
  return undefined;
}

function pick(
  role: Role,
  names: readonly string[],
  known: readonly string[],
  wanted: string | undefined,
  taken: readonly string[],
  isNeeded: boolean,
): string | undefined {
  if (wanted !== undefined) {
    if (names.includes(wanted.split('.')[0]!)) return wanted;
    throw new ToolError('config', `there is no column "${wanted}" for the ${role}`, { hint: suggestName(wanted, names) });
  }
  const found = firstOf(
    names.filter((name) => !taken.includes(name)),
    known,
  );
  if (found !== undefined || !isNeeded) return found;
  const free = names.filter((name) => !ignoredNames.has(name) && !taken.includes(name));
  if (free.length === 1) return free[0];
  throw new ToolError('config', `cannot tell which column holds the ${role} among: ${names.join(', ')}`, {
    hint: `name it: --column ${role}=NAME (known names: ${known.slice(0, 8).join(', ')}...)`,
  });
}

/** With two text columns the second is the answer; with more, only the user can tell. */
function lonelyTarget(
  names: readonly string[],
  input: string | undefined,
  taken: readonly string[],
  fields: JsonObject,
): string | undefined {
  const free = names.filter((name) => !ignoredNames.has(name) && !categoryNames.includes(name) && name !== input && !taken.includes(name));
  if (free.length === 0) return undefined;
  const only = free[0]!;
  if (free.length === 1 && typeof fields[only] !== 'object') return only;
  throw new ToolError('config', `cannot tell which column holds the answer among: ${free.join(', ')}`, {
    hint: 'name it: --column target=NAME',
  });
}
