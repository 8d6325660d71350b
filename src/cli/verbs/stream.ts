// `slmbench stream`: raw text to the model of a recipe, tokens as they come.
import type { Command } from 'commander';
import type { InstructFlags } from '../ask-command.ts';
import { addRecipeOptions } from '../recipe-options.ts';

export function register(command: Command): void {
  addRecipeOptions(command)
    .argument('<prompt>', 'text that goes to the model as it is')
    .option('--base', 'the base model without the adapter')
    .action(async (prompt: string, _: InstructFlags, command: Command) => {
      const { streamCommand } = await import('../ask-command.ts');
      await streamCommand(prompt, command.optsWithGlobals<InstructFlags>());
    });
}
