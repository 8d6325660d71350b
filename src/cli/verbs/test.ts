// `slmbench test`: run the held-out rows of a recipe; the result is kept and reused.
import { type Command, Option } from 'commander';
import type { TestFlags } from '../benchmark-command.ts';
import { addStageOptions } from '../recipe-options.ts';

export function register(command: Command): void {
  addStageOptions(command)
    .option('-o, --out <file>', 'where the predictions go; - is standard output', '-')
    .addOption(new Option('-f, --format <name>', 'json (JSON Lines) or csv').choices(['json', 'csv']).default('json'))
    .action(async (_: TestFlags, command: Command) => {
      const { testCommand } = await import('../benchmark-command.ts');
      await testCommand(command.optsWithGlobals<TestFlags>());
    });
}
