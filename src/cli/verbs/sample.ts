// `slmbench sample`: exactly what a model will see of some samples.
import type { Command } from 'commander';
import { integer } from '../option-values.ts';
import { addRunOptions, type RunFlags } from '../run-options.ts';

export function register(command: Command): void {
  addRunOptions(command)
    .option('-n, --max-samples <n>', 'how many (3)', integer(1), 3)
    .action(async (_: RunFlags, command: Command) => {
      const flags = command.optsWithGlobals<RunFlags>();
      const { isRecipeSample, recipeSampleCommand } = await import('../recipe-command.ts');
      if (await isRecipeSample(flags)) return recipeSampleCommand(flags);
      const { sampleCommand } = await import('../sample-command.ts');
      await sampleCommand(flags);
    });
}
