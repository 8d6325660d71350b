// Reads a specialise recipe: file with its parents and overrides, checked, with the origin of every value.
import { dirname, resolve } from 'node:path';
import { type ResolvedConfig, resolveConfig } from '../../config/resolve-config.ts';
import { type SpecialiseRecipe, specialiseRecipeSchema } from '../../config/specialise-recipe.ts';
import { validate } from '../../config/validate.ts';
import { digestOf } from '../../core/digest.ts';
import { ToolError } from '../../core/errors.ts';

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
  return isSpecialiseConfig((await resolveConfig(file, assignments)).value);
}

/** @throws ToolError `config` listing every mistake with file, line and column, or for a recipe of a newer version */
export async function loadRecipe(file: string | undefined, assignments: readonly string[] = []): Promise<LoadedRecipe> {
  if (file === undefined) throw new ToolError('usage', 'no recipe was named', { hint: 'write -c recipe.yml; recipes/ holds ready ones' });
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
  const value = withoutNull(config.value);
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
