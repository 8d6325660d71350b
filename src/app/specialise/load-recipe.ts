// Reads a specialise recipe: file with its parents and overrides, checked, with the origin of every value.
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type ResolvedConfig, resolveConfig } from '../../config/resolve-config.ts';
import { type SpecialiseRecipe, specialiseRecipeSchema } from '../../config/specialise-recipe.ts';
import { validate } from '../../config/validate.ts';
import { digestOf } from '../../core/digest.ts';
import { messageOf, ToolError } from '../../core/errors.ts';
import { findRecipe } from './find-recipe.ts';

export interface LoadedRecipe {
  readonly recipe: SpecialiseRecipe;
  /** As the user named it. */
  readonly file: string;
  /** sha256 of the resolved recipe, paths as they are written. */
  readonly digest: string;
  readonly config: ResolvedConfig;
}

const schemaName = /^slmbench\/specialise\/(\d+)$/;

/** Whether a resolved file is a specialise recipe, not one of an evaluation run. */
export function isSpecialiseConfig(value: Readonly<Record<string, unknown>>): boolean {
  const { schema } = value;
  if (typeof schema === 'string') return schemaName.test(schema);
  return 'dataset' in value && 'task' in value && 'model' in value;
}

function members(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, member]) => member !== null);
}

/** `null` takes away what a parent recipe says: a block, or a member of one. */
export function withoutNull(value: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    members(value).map(([key, block]) => [
      key,
      typeof block === 'object' && !Array.isArray(block) ? Object.fromEntries(members(block!)) : block,
    ]),
  );
}

/** Whether a file is a specialise recipe. @throws ToolError `config` where it cannot be read */
export async function isSpecialiseFile(file: string, assignments: readonly string[] = []): Promise<boolean> {
  return isSpecialiseConfig((await resolveConfig(findRecipe(file), assignments)).value);
}

/**
 * @param named as `findRecipe` takes it
 * @throws ToolError `config` listing every mistake with file, line and column, or for a recipe of a newer version; `not-found`, `usage`
 */
export async function loadRecipe(named: string | undefined, assignments: readonly string[] = []): Promise<LoadedRecipe> {
  const file = findRecipe(named);
  const config = await resolveConfig(file, assignments);
  const { schema } = config.value;
  const version = typeof schema === 'string' ? Number(schemaName.exec(schema)?.[1] ?? Number.NaN) : 1;
  if (version > 1) {
    throw new ToolError('config', `${file} is a recipe of version ${version}; this slmbench reads version 1`, {
      hint: 'use a newer slmbench',
      location: config.locate(['schema']),
    });
  }
  if (!isSpecialiseConfig(config.value) && 'models' in config.value) {
    throw new ToolError('config', `${file} is the recipe of an evaluation run`, { hint: 'run it with slmbench run -c' });
  }
  const value = await withTemplateFiles(withoutNull(config.value), config);
  const recipe = withPaths(validate(specialiseRecipeSchema, value, config.locate, file), config);
  checkTogether(recipe, config);
  return { recipe, file, digest: digestOf(validate(specialiseRecipeSchema, value, config.locate, file)), config };
}

/** `./x` and `../x` in a file are relative to that file; on the command line to the current folder. */
function besideFile(reference: string, path: readonly string[], { locate }: ResolvedConfig): string {
  if (!/^\.\.?[\\/]/.test(reference)) return reference;
  const { file } = locate(path);
  return file.startsWith('--set') ? reference : resolve(dirname(file), reference);
}

const templateFile = /^\.\.?[\\/][^\n{}]+\.(j2|jinja|jinja2)$/;
const templateKeys = ['prompt', 'system', 'target'] as const;

/** A template of the task that is written as `./prompt.j2` is the text of that file: what it says is part of the recipe. */
async function withTemplateFiles(value: Record<string, unknown>, config: ResolvedConfig): Promise<Record<string, unknown>> {
  const { task } = value;
  if (typeof task !== 'object' || task === null) return value;
  const texts: Record<string, string> = {};
  for (const key of templateKeys) {
    const template = (task as Record<string, unknown>)[key];
    if (typeof template !== 'string' || !templateFile.test(template)) continue;
    const path = besideFile(template, ['task', key], config);
    try {
      texts[key] = (await readFile(path, 'utf8')).replace(/\r?\n$/, '');
    } catch (cause) {
      const location = config.locate(['task', key]);
      throw new ToolError('config', `cannot read the template ${path} of "task.${key}": ${messageOf(cause)}`, { cause, location });
    }
  }
  return { ...value, task: { ...task, ...texts } };
}

function withPaths(recipe: SpecialiseRecipe, config: ResolvedConfig): SpecialiseRecipe {
  const { dataset, model } = recipe;
  return {
    ...recipe,
    dataset: { ...dataset, source: besideFile(dataset.source, ['dataset', 'source'], config) },
    model: {
      ...model,
      base: besideFile(model.base, ['model', 'base'], config),
      ...(model.weights === undefined ? {} : { weights: besideFile(model.weights, ['model', 'weights'], config) }),
    },
  };
}

/** What the schema cannot say: which members exclude or need each other. */
function checkTogether(recipe: SpecialiseRecipe, { locate }: ResolvedConfig): void {
  const { dataset, task } = recipe;
  const refuse = (path: readonly string[], message: string, hint?: string): never => {
    throw new ToolError('config', message, { location: locate(path), hint });
  };
  if ((dataset.split === undefined) === (dataset.splits === undefined))
    refuse(['dataset'], 'a dataset needs either "split" (one part is divided) or "splits" (the source has them)');
  if (task.type === 'classification' && task.labels === undefined) refuse(['task'], 'a classification task needs "labels"');
  if (task.kind === 'choose' && task.labels === undefined) refuse(['task', 'kind'], 'kind "choose" compares "labels": name them');
  if (task.labels === undefined && task.target === undefined && task.references === undefined)
    refuse(['task'], 'a task needs "labels", "target" or "references": what is the right answer?');
  if (new Set(recipe.seeds).size !== recipe.seeds.length) refuse(['seeds'], '"seeds" names a seed twice');
  const repeated = task.labels?.find((label, index) => task.labels!.indexOf(label) !== index);
  if (repeated !== undefined) refuse(['task', 'labels'], `"task.labels" names "${repeated}" twice`);
}

/** `<task>_<model>`: stem of the artifacts. */
export function benchmarkName(recipe: SpecialiseRecipe): string {
  return recipe.name ?? `${recipe.task.name}_${recipe.model.name}`;
}
