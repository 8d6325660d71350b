// What a recipe says, for `task`, `trainer` and `sample`: nothing is trained or run.
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Json } from '../../core/json.ts';
import type { DatasetBlock } from '../../core/specialise-record.ts';
import { shippedRecipes } from './find-recipe.ts';
import { loadRecipe } from './load-recipe.ts';
import { openSession } from './open-session.ts';
import type { SplitRole } from './prepare-data.ts';
import { bindRecipeTask, taskDefinitionOf } from './recipe-task.ts';
import type { SpecialiseOptions } from './session.ts';
import { inputColumns, toolSchema } from './tool-schema.ts';
import { trainingExamples } from './training-examples.ts';

export interface RecipeLine {
  readonly file: string;
  readonly task: string;
  readonly model: string;
  readonly title: string;
}

/** The recipes of a folder, one line each; files that are none are passed over. */
export async function listRecipes(folder: string): Promise<RecipeLine[]> {
  const names = await readdir(folder).catch(() => [] as string[]);
  const lines: RecipeLine[] = [];
  for (const name of names.filter((file) => /\.ya?ml$/.test(file)).sort()) {
    const file = join(folder, name);
    const loaded = await loadRecipe(file).catch(() => null);
    if (loaded === null) continue;
    const { recipe } = loaded;
    lines.push({ file, task: recipe.task.name, model: recipe.model.name, title: recipe.task.title });
  }
  return lines;
}

/** The recipes of a folder, then those that ship with the package under other names. */
export async function listAllRecipes(folder: string): Promise<RecipeLine[]> {
  const own = await listRecipes(folder);
  const taken = new Set(own.map(({ file }) => basename(file)));
  const shipped = (await listRecipes(shippedRecipes)).filter(({ file }) => !taken.has(basename(file)));
  return [...own, ...shipped.map((one) => ({ ...one, file: `recipes/${basename(one.file)}` }))];
}

/** The task with its templates, inputs and tool schema. */
export async function describeTask(recipeFile: string | undefined, assignments: readonly string[] = []): Promise<Json> {
  const { recipe } = await loadRecipe(recipeFile, assignments);
  const definition = taskDefinitionOf(recipe);
  return JSON.parse(JSON.stringify({ definition, inputs: inputColumns(definition), tool: toolSchema(definition) })) as Json;
}

export interface TrainerDescription {
  readonly dataset: DatasetBlock;
  readonly settings: Json;
  readonly seeds: readonly number[];
  readonly steps: number | null;
  readonly pairs: number;
}

export async function describeTrainer(options: SpecialiseOptions): Promise<TrainerDescription> {
  const { data, recipe } = await openSession(options);
  const { training } = recipe;
  const pairs = data.splits.train.length;
  const steps =
    training === false
      ? null
      : (training.maxSteps ?? Math.ceil((training.epochs * pairs) / (training.batchSize * training.gradientAccumulation)));
  return { dataset: data.block, settings: JSON.parse(JSON.stringify(training)) as Json, seeds: recipe.seeds, steps, pairs };
}

export interface RecipeSample {
  readonly split: SplitRole;
  readonly id: string;
  /** Exactly what the model sees. */
  readonly prompt: string;
  /** What training teaches it to write. */
  readonly completion: string;
}

/** The first rows of a split as the model sees them. */
export async function sampleRecipe(options: SpecialiseOptions, split: SplitRole, count: number): Promise<RecipeSample[]> {
  const { definition, data, recipe, context, format } = await openSession(options);
  const rows = data.splits[split].slice(0, count);
  if (rows.length === 0) return [];
  const examples = trainingExamples({ definition, task: bindRecipeTask(definition, rows, recipe.test.seed), rows, context, format });
  return examples.map(({ id, prompt, completion }) => ({ split, id, prompt, completion }));
}
