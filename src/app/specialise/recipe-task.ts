// The task of a recipe as a task definition: the same contract for training, held-out test, benchmark and applications.
import type { SpecialiseRecipe } from '../../config/specialise-recipe.ts';
import type { Row } from '../../core/dataset.ts';
import type { PromptContext } from '../../core/task.ts';
import { type BoundTask, bindTask } from '../../tasks/bind-task.ts';
import { parseTaskDefinition } from '../../tasks/parse-task-definition.ts';
import type { TaskDefinition } from '../../tasks/task-definition.ts';

const defaultMetrics: Readonly<Record<string, readonly [metrics: readonly string[], primary: string]>> = {
  classification: [['classification'], 'f1:macro'],
  extraction: [['exact_match'], 'exact_match'],
};
const textMetrics = [['exact_match', 'token_f1', 'rouge_l'], 'rouge_l'] as const;

/** @throws ToolError `config` listing every mistake of the task */
export function taskDefinitionOf(recipe: SpecialiseRecipe): TaskDefinition {
  const { task, dataset } = recipe;
  const [metrics, primary] = defaultMetrics[task.type] ?? textMetrics;
  const isLabelled = task.labels !== undefined;
  const { stop: _, ...generation } = recipe.generation;
  return parseTaskDefinition({
    name: task.name,
    version: task.version,
    title: task.title,
    description: task.description === '' ? task.title : task.description,
    licence: dataset.licence?.name ?? 'see the dataset',
    type: task.type,
    dataset: { name: dataset.name, split: 'test', fewShotSplit: 'train' },
    kind: task.kind,
    prompt: task.prompt,
    ...defined({ system: task.system, target: task.target, references: task.references, extra: task.extra, aliases: task.aliases }),
    ...(isLabelled ? { labels: task.labels, gold: { column: task.labelColumn ?? dataset.label, as: 'text' } } : {}),
    ...(task.kind === 'choose' ? { choices: task.labels!.map(literal) } : {}),
    parser: task.parser ?? (isLabelled ? { kind: 'label' } : { kind: 'text' }),
    metrics: task.metrics ?? [...metrics],
    primaryMetric: task.primaryMetric ?? (task.metrics === undefined ? primary : nameOf(task.metrics[0]!)),
    generation,
    stop: recipe.generation.stop ?? task.stop,
  });
}

function nameOf(use: string | { readonly name: string }): string {
  return typeof use === 'string' ? use : use.name;
}

function defined(members: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** A label as a template that yields exactly it. */
function literal(label: string): string {
  return `{{ ${JSON.stringify(label)} }}`;
}

/** How prompts of this recipe are written: one rule for training, test and use. */
export function promptContextOf(recipe: SpecialiseRecipe, hasChatTemplate: boolean): PromptContext {
  const wants = recipe.model.chat ?? recipe.task.kind === 'generate';
  return { protocol: 'native', chat: wants && hasChatTemplate, generation: recipe.generation };
}

/** The task bound to rows, without shots. */
export function bindRecipeTask(definition: TaskDefinition, rows: readonly Row[], seed: number): BoundTask {
  return bindTask(definition, { rows, protocol: 'native', shots: 0, seed });
}
