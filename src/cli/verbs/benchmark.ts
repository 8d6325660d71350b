// `slmbench benchmark`: train, test, score and render what is missing or stale.
import type { Command } from 'commander';
import type { BenchmarkFlags } from '../benchmark-command.ts';
import { addStageOptions } from '../recipe-options.ts';

export function register(command: Command): void {
  addStageOptions(command)
    .option('--rescore', 'score the stored answers again and render; needs no model')
    .action(async (_: BenchmarkFlags, command: Command) => {
      const { benchmarkCommand } = await import('../benchmark-command.ts');
      await benchmarkCommand(command.optsWithGlobals<BenchmarkFlags>());
    });
}
