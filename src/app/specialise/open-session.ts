// Opens a recipe for work: everything that can be wrong with recipe, data or model is told before anything is trained.
import { resolveModel } from '../../backends/resolve-model.ts';
import { ToolError } from '../../core/errors.ts';
import { openWorkspace } from '../workspace.ts';
import { chatFormatOf } from './chat-format.ts';
import { layoutOf } from './layout.ts';
import { loadRecipe } from './load-recipe.ts';
import { prepareData } from './prepare-data.ts';
import { bindRecipeTask, promptContextOf, taskDefinitionOf } from './recipe-task.ts';
import type { ScoringSession, SpecialiseOptions, SpecialiseSession } from './session.ts';

function seedsOf(count: number | undefined): string[] {
  return count === undefined ? [] : [`seeds=[${Array.from({ length: count }, (_, seed) => seed).join(', ')}]`];
}

/** Recipe, data and task without the model. @throws ToolError `config`, `data`, `not-found`, `unavailable` */
export async function openScoringSession(options: SpecialiseOptions, hasChatTemplate: boolean): Promise<ScoringSession> {
  const listener = options.listener ?? (() => {});
  const loaded = await loadRecipe(options.recipeFile, [...(options.assignments ?? []), ...seedsOf(options.seedCount)]);
  const { recipe } = loaded;
  const definition = taskDefinitionOf(recipe);
  const workspace = await openWorkspace({ offline: options.offline, listener, signal: options.signal });
  const note = (message: string) => listener({ kind: 'note', at: new Date().toISOString(), message });
  const data = await prepareData(recipe, { workspace, limit: options.limit, strict: options.strict });
  for (const message of data.notes) note(message);
  checkLabels(data.splits.train, definition.labels, recipe.task.labelColumn ?? recipe.dataset.label);
  bindRecipeTask(definition, data.splits.test, recipe.test.seed);
  const forced = new Set(options.force ?? []);
  return {
    loaded,
    recipe,
    options,
    commandLine: options.commandLine ?? 'the slmbench library',
    workspace,
    layout: layoutOf(recipe),
    definition,
    data,
    context: promptContextOf(recipe, hasChatTemplate),
    isForced: (stage) => forced.has(stage),
    note,
  };
}

/** @throws ToolError as `openScoringSession`, and `unsupported` for a model whose weights are not here */
export async function openSession(options: SpecialiseOptions): Promise<SpecialiseSession> {
  const session = await openScoringSession(options, false);
  const { recipe, workspace } = session;
  const model = await resolveModel(recipe.model.base, { ...workspace.sources, userEntries: workspace.userModels });
  const format = await chatFormatOf(model);
  return { ...session, model, format, context: promptContextOf(recipe, format.template !== null) };
}

/** A label of the data that the prompt never names could not be learned as an answer of the task. */
function checkLabels(
  rows: readonly { readonly id: string; readonly fields: Readonly<Record<string, unknown>> }[],
  labels: readonly string[] | undefined,
  column: string,
): void {
  if (labels === undefined) return;
  const known = new Set(labels);
  const strange = rows.find((row) => !known.has(String(row.fields[column])));
  if (strange === undefined) return;
  throw new ToolError(
    'data',
    `row ${strange.id} has the label ${JSON.stringify(strange.fields[column])}, which "task.labels" does not name`,
    {
      hint: `labels: ${labels.join(', ')}`,
    },
  );
}
