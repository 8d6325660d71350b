// `slmbench task`: show the task of a recipe with its templates and tool schema, or list the recipes of recipes/.
import type { Command } from 'commander';
import type { TaskFlags } from '../recipe-command.ts';
import { addRecipeOptions } from '../recipe-options.ts';

export function register(command: Command): void {
  addRecipeOptions(command)
    .option('-n, --name <task>', 'only recipes of this task')
    .action(async (_: TaskFlags, command: Command) => {
      const { taskCommand } = await import('../recipe-command.ts');
      await taskCommand(command.optsWithGlobals<TaskFlags>());
    });
}
