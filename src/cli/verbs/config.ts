// `slmbench config`: show the effective recipe.
import type { Command } from 'commander';
import type { ConfigFlags } from '../recipe-command.ts';
import { addRecipeOptions } from '../recipe-options.ts';

export function register(command: Command): void {
  addRecipeOptions(command)
    .option('--resolved', 'every value with the file and line, flag or default that it comes from')
    .action(async (_: ConfigFlags, command: Command) => {
      const { configCommand } = await import('../recipe-command.ts');
      await configCommand(command.optsWithGlobals<ConfigFlags>());
    });
}
