// `slmbench train`: train the adapters of a recipe unless valid ones are there.
import type { Command } from 'commander';
import { addStageOptions, type RecipeFlags } from '../recipe-options.ts';

export function register(command: Command): void {
  addStageOptions(command).action(async (_: RecipeFlags, command: Command) => {
    const { trainCommand } = await import('../benchmark-command.ts');
    await trainCommand(command.optsWithGlobals<RecipeFlags>());
  });
}
