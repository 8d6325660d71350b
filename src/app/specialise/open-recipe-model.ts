// Loads the model of a recipe with its trained adapter, for use outside a benchmark.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { openBackend } from '../../backends/registry.ts';
import { resolveAdapter } from '../../backends/resolve-adapter.ts';
import { resolveModel } from '../../backends/resolve-model.ts';
import type { SpecialiseRecipe } from '../../config/specialise-recipe.ts';
import { ToolError } from '../../core/errors.ts';
import type { Backend } from '../../core/ports/backend.ts';
import { assertAdapterFitsBase, readAdapter } from '../../training/adapter-files.ts';
import { openWorkspace } from '../workspace.ts';
import { chatFormatOf } from './chat-format.ts';
import { layoutOf } from './layout.ts';
import type { OpenTaskOptions } from './open-task.ts';

export interface RecipeModel {
  readonly backend: Backend;
  readonly hasChatTemplate: boolean;
  /** Model key, with the task where an adapter is on it. */
  readonly modelName: string;
}

/** The adapter folder. @throws ToolError `not-found` before training */
export async function trainedFolder(folder: string, recipeFile: string): Promise<string> {
  if ((await stat(join(folder, 'adapter_model.safetensors')).catch(() => null)) !== null) return folder;
  throw new ToolError('not-found', `the recipe has no trained adapter yet (${folder})`, {
    hint: `slmbench train -c ${recipeFile} makes it; adapter: false (--base) uses the base model`,
  });
}

/** @throws ToolError `not-found` before training, `integrity` for an adapter of another base */
export async function openRecipeModel(recipe: SpecialiseRecipe, recipeFile: string, options: OpenTaskOptions): Promise<RecipeModel> {
  const workspace = await openWorkspace({ offline: options.offline });
  const model = await resolveModel(recipe.model.base, { ...workspace.sources, userEntries: workspace.userModels });
  const usesAdapter = options.adapter ?? recipe.training !== false;
  const layout = layoutOf(recipe).forSeed(recipe.seeds[0]!);
  const adapters = usesAdapter ? [await resolveAdapter(await trainedFolder(layout.adapter, recipeFile), model, workspace)] : [];
  // Only where the served file itself was trained its digest says what the adapter fits.
  if (usesAdapter && recipe.model.weights === undefined && model.facts.digest !== null)
    assertAdapterFitsBase(await readAdapter(layout.adapter), model.facts.digest);
  const format = await chatFormatOf(model);
  const backend = await openBackend(model, {
    threads: recipe.test.threads,
    contextTokens: recipe.test.context,
    gpuLayers: recipe.test.gpuLayers,
    adapters: adapters.map(({ path, scale }) => ({ path, scale })),
  });
  return { backend, hasChatTemplate: format.template !== null, modelName: usesAdapter ? `${model.key}+${recipe.task.name}` : model.key };
}
