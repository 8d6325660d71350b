// One validated recipe from a recipe file and flags; a given flag wins over the file.
import { resolveConfig } from '../config/resolve-config.ts';
import { type RunRecipe, runRecipeSchema } from '../config/run-recipe.ts';
import { validate } from '../config/validate.ts';
import { ToolError } from '../core/errors.ts';
import type { EvaluationRequest } from './evaluation-request.ts';

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<T>;
}

async function readRecipe(request: EvaluationRequest): Promise<RunRecipe> {
  if (request.configFile === undefined) {
    if (request.assignments.length > 0) {
      throw new ToolError('usage', '--set changes a recipe file, but no recipe was given', { hint: 'name it with -c recipe.yml' });
    }
    return runRecipeSchema.parse({});
  }
  const config = await resolveConfig(request.configFile, request.assignments);
  return validate(runRecipeSchema, config.value, config.locate, request.configFile);
}

/** `run.maxErrorRate` as the flag that sets it. */
function flagOf(path: readonly PropertyKey[]): string {
  return `--${String(path[1] ?? path[0]).replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** @throws ToolError `config` for mistakes in the file, `usage` for wrong flag values */
export async function mergeRecipe(request: EvaluationRequest): Promise<RunRecipe> {
  const recipe = await readRecipe(request);
  const { samples, limit } = request.settings;
  if (samples !== undefined && limit !== undefined) {
    throw new ToolError('usage', '-n and --limit exclude each other', { hint: '-n is a seeded sample, --limit the first items' });
  }
  const merged = runRecipeSchema.safeParse({
    ...recipe,
    name: request.name ?? recipe.name,
    models: request.models ?? recipe.models,
    tasks: request.tasks ?? recipe.tasks,
    judges: request.judges ?? recipe.judges,
    run: { ...recipe.run, ...withoutUndefined(request.settings) },
    generation: { ...recipe.generation, ...withoutUndefined(request.generation) },
  });
  if (merged.success) return merged.data;
  const problems = merged.error.issues.map((issue) => `${flagOf(issue.path)}: ${issue.message.replace(/^Invalid (?:input|option): /, '')}`);
  throw new ToolError('usage', problems.join('; '));
}
