// Every value of a recipe with its origin: file and line, `--set`, or the schema's default.

import { resolveConfig } from '../../config/resolve-config.ts';
import { runRecipeSchema } from '../../config/run-recipe.ts';
import { specialiseRecipeSchema } from '../../config/specialise-recipe.ts';
import { validate } from '../../config/validate.ts';
import { ToolError } from '../../core/errors.ts';
import { findRecipe } from './find-recipe.ts';
import { isSpecialiseConfig, withoutNull } from './load-recipe.ts';

export interface ResolvedView {
  readonly kind: 'specialise' | 'run';
  readonly value: unknown;
  readonly entries: readonly { readonly path: string; readonly text: string; readonly origin: string }[];
}

function* leaves(value: unknown, path: readonly string[] = []): Generator<readonly [string, unknown]> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0) yield [path.join('.'), value];
  for (const [key, child] of entries) yield* leaves(child, [...path, key]);
}

/** Works for recipes of both kinds. @throws ToolError `config` with positions */
export async function resolvedView(file: string | undefined, assignments: readonly string[]): Promise<ResolvedView> {
  if (file === undefined) throw new ToolError('usage', 'no recipe was named', { hint: 'write -c recipe.yml' });
  const config = await resolveConfig(findRecipe(file), assignments);
  const kind = isSpecialiseConfig(config.value) ? 'specialise' : 'run';
  const value: unknown =
    kind === 'specialise'
      ? validate(specialiseRecipeSchema, withoutNull(config.value), config.locate, file)
      : validate(runRecipeSchema, config.value, config.locate, file);
  const entries = [...leaves(value)].map(([path, leaf]) => ({
    path,
    text: JSON.stringify(leaf) ?? 'undefined',
    origin: config.origins.get(path) ?? 'default',
  }));
  return { kind, value, entries };
}
