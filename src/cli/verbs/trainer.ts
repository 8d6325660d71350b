// `slmbench trainer`: show the training settings of a recipe and the splits of its data.
import type { Command } from 'commander';
import { integer } from '../option-values.ts';
import type { TrainerFlags } from '../recipe-command.ts';
import { addRecipeOptions } from '../recipe-options.ts';

export function register(command: Command): void {
  addRecipeOptions(command)
    .option('--verbose', 'all training settings')
    .option('--limit <n>', 'the first N rows of each split', integer(1))
    .action(async (_: TrainerFlags, command: Command) => {
      const { trainerCommand } = await import('../recipe-command.ts');
      await trainerCommand(command.optsWithGlobals<TrainerFlags>());
    });
}
