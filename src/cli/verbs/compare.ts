// `slmbench compare`: models side by side on one dataset, or records of earlier runs side by side.
import type { Command } from 'commander';
import { integer } from '../option-values.ts';
import { addRunOptions, type RunFlags } from '../run-options.ts';
import type { SetExitCode } from '../verb-index.ts';

export interface CompareFlags extends RunFlags {
  readonly dataset?: readonly string[];
  readonly baseline?: string;
  readonly markdown?: boolean;
}

export function register(command: Command, setExitCode: SetExitCode): void {
  addRunOptions(command)
    .argument('[run...]', 'finished runs: ids, folders or record files')
    .option('--dataset <name...>', 'the same as --datasets')
    .option('-n, --max-samples <n>', 'seeded sample of N items (20)', integer(1), 20)
    .option('--baseline <run>', 'run that the others are compared with (default: the best)')
    .option('--markdown', 'print Markdown, for a pull-request comment')
    .action(async (runs: readonly string[], _: CompareFlags, command: Command) => {
      const { compareCommand } = await import('../compare-command.ts');
      setExitCode(await compareCommand(runs, command.optsWithGlobals<CompareFlags>()));
    });
}
