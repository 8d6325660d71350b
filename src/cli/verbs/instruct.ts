// `slmbench instruct`: one request to the specialised task of a recipe.
import { type Command, Option } from 'commander';
import type { InstructFlags } from '../ask-command.ts';
import { repeated } from '../option-values.ts';
import { addRecipeOptions } from '../recipe-options.ts';
import type { SetExitCode } from '../verb-index.ts';

export function register(command: Command, setExitCode: SetExitCode): void {
  addRecipeOptions(command)
    .argument('[instruction]', 'the input, where the task reads one')
    .option('--field <name=value>', 'an input by name (repeatable)', repeated)
    .option('--base', 'the base model without the adapter')
    .addOption(new Option('-f, --format <name>', 'full, text, json or yaml').choices(['full', 'text', 'json', 'yaml']).default('text'))
    .action(async (instruction: string | undefined, _: InstructFlags, command: Command) => {
      const { instructCommand } = await import('../ask-command.ts');
      setExitCode(await instructCommand(instruction, command.optsWithGlobals<InstructFlags>()));
    });
}
