// Which file a recipe reference means: the user's own, else one that ships with the package.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';

/** Folder of the shipped recipes. */
export const shippedRecipes: string = fileURLToPath(new URL('../../../recipes/', import.meta.url));

function shippedNames(): string[] {
  return existsSync(shippedRecipes) ? readdirSync(shippedRecipes).filter((name) => name.endsWith('.yml')) : [];
}

/**
 * `recipes/intents-smollm2-135m.yml` and `intents-smollm2-135m` name a shipped recipe where there is no such file here.
 * @throws ToolError `usage` without a name, `not-found` with the nearest shipped one
 */
export function findRecipe(named: string | undefined): string {
  const file = named ?? (process.env['SLMBENCH_RECIPE'] || undefined);
  if (file === undefined)
    throw new ToolError('usage', 'no recipe was named', {
      hint: 'write -c recipe.yml, or set SLMBENCH_RECIPE; slmbench task lists those that ship',
    });
  if (existsSync(file)) return file;
  const name = /^(?:\.[\\/])?(?:recipes[\\/])?([\w.-]+)$/.exec(file)?.[1]?.replace(/\.ya?ml$/, '');
  const names = shippedNames();
  if (name !== undefined && names.includes(`${name}.yml`)) return join(shippedRecipes, `${name}.yml`);
  const known = names.map((one) => one.replace(/\.yml$/, ''));
  throw new ToolError('not-found', `no such file: ${file}`, {
    hint: `${suggestName(name ?? file, known)} (recipes that ship; a file of your own by its path)`,
  });
}
