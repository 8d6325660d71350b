// `slmbench task`, `trainer`, `config` and `sample` of a recipe: what it says, before anything runs.
import { describeTask, describeTrainer, listAllRecipes, sampleRecipe } from '../app/specialise/describe-recipe.ts';
import { isSpecialiseFile } from '../app/specialise/load-recipe.ts';
import { resolvedView } from '../app/specialise/resolved-view.ts';
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';
import { type RecipeFlags, withRecipe } from './recipe-options.ts';

function print(text: string): void {
  process.stdout.write(neutraliseForTerminal(text));
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export interface TaskFlags extends RecipeFlags {
  readonly name?: string;
}

function isPair(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

export async function taskCommand(flags: TaskFlags): Promise<void> {
  if (flags.config !== undefined || (flags.name === undefined && process.env['SLMBENCH_RECIPE'])) {
    const described = await describeTask(flags.config, flags.set);
    const definition = isPair(described) ? (described['definition'] as Record<string, unknown>) : {};
    const text = [
      `${definition['name']}: ${definition['title']}`,
      `system:\n${definition['system'] ?? '(none)'}`,
      `prompt:\n${definition['prompt']}`,
    ];
    print(flags.json === true ? json(described) : `${text.join('\n\n')}\n\n${json(described)}`);
    return;
  }
  const recipes = await listAllRecipes('recipes');
  const wanted = flags.name === undefined ? recipes : recipes.filter((recipe) => recipe.task === flags.name);
  if (flags.name !== undefined && wanted.length === 0)
    throw new ToolError('not-found', `no recipe has the task "${flags.name}"`, {
      hint: suggestName(flags.name, new Set(recipes.map(({ task }) => task))),
    });
  if (flags.json === true) print(json(wanted));
  else print(wanted.map((one) => `${one.task}  ${one.model}  ${one.title}  (${one.file})\n`).join(''));
}

export interface TrainerFlags extends RecipeFlags {
  readonly verbose?: boolean;
}

export async function trainerCommand(flags: TrainerFlags): Promise<void> {
  const described = await withRecipe(flags, describeTrainer);
  if (flags.json === true) return print(json(described));
  const splits = described.dataset.splits.map(
    ({ name, examples, classCounts }) =>
      `  ${name}: ${examples}${
        classCounts === null
          ? ''
          : ` (${Object.entries(classCounts)
              .map(([label, count]) => `${label} ${count}`)
              .join(', ')})`
      }`,
  );
  const lines = [
    `${described.dataset.name}: ${described.dataset.source ?? ''}`,
    ...splits,
    described.steps === null ? 'no training' : `${described.pairs} pairs, ${described.steps} steps, seeds ${described.seeds.join(', ')}`,
  ];
  print(`${lines.join('\n')}\n${flags.verbose === true ? json(described.settings) : ''}`);
}

export interface ConfigFlags extends RecipeFlags {
  readonly resolved?: boolean;
}

export async function configCommand(flags: ConfigFlags): Promise<void> {
  const view = await resolvedView(flags.config, flags.set ?? []);
  if (flags.json === true) return print(json(flags.resolved === true ? view : view.value));
  if (flags.resolved !== true) return print(json(view.value));
  const width = Math.min(60, Math.max(...view.entries.map((entry) => `${entry.path} = ${entry.text}`.length)));
  print(view.entries.map((entry) => `${`${entry.path} = ${entry.text}`.padEnd(width)}  # ${entry.origin}\n`).join(''));
}

export interface RecipeSampleFlags extends Omit<RecipeFlags, 'force' | 'strict' | 'seeds'> {
  readonly split?: string;
  readonly maxSamples?: number;
}

/** Whether `sample` was given a specialise recipe. */
export async function isRecipeSample(flags: { readonly config?: string; readonly set?: readonly string[] }): Promise<boolean> {
  return flags.config !== undefined && (await isSpecialiseFile(flags.config, flags.set ?? []));
}

const splits = ['train', 'validation', 'test'] as const;

export async function recipeSampleCommand(flags: RecipeSampleFlags): Promise<void> {
  const split = splits.find((name) => name === (flags.split ?? 'train'));
  if (split === undefined) throw new ToolError('usage', `--split ${flags.split}: expected train, validation or test`);
  const samples = await withRecipe(flags, (options) => sampleRecipe(options, split, flags.maxSamples ?? 3));
  if (flags.json === true) return print(json(samples));
  const block = (text: string) =>
    text
      .split('\n')
      .map((line) => `  | ${line.replace(/[ \t]+$/, (blank) => '·'.repeat(blank.length))}`)
      .join('\n');
  print(
    samples
      .map(
        (one, index) =>
          `── ${one.split} sample ${index + 1}, id ${one.id}\nprompt:\n${block(one.prompt)}\nanswer that training teaches:\n${block(one.completion)}\n`,
      )
      .join('\n'),
  );
}
