// `slmbench publish`: copy the evidence of a benchmark to benchmarks/<task>-<model>/.
import type { Command } from 'commander';
import type { PublishFlags } from '../evidence-command.ts';
import { addRecipeOptions } from '../recipe-options.ts';

export function register(command: Command): void {
  addRecipeOptions(command)
    .option('--folder <dir>', 'folder of all published benchmarks', 'benchmarks')
    .action(async (_: PublishFlags, command: Command) => {
      const { publishCommand } = await import('../evidence-command.ts');
      await publishCommand(command.optsWithGlobals<PublishFlags>());
    });
}
