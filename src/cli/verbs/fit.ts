// `slmbench fit`: what this machine can run, before anything is downloaded.
import type { Command } from 'commander';
import { decimal, list } from '../option-values.ts';

export interface FitFlags {
  readonly models?: readonly string[];
  readonly types?: readonly string[];
  readonly contexts?: readonly string[];
  readonly memory?: number;
  readonly json?: boolean;
}

export function register(command: Command): void {
  command
    .option('-m, --models <name...>', 'registry names (all)', list)
    .option('--types <type...>', 'quantisations beside the listed one (Q8_0,Q4_K_M)', list)
    .option('--contexts <n...>', 'context lengths in tokens (2048,8192,32768)', list)
    .option('--memory <GiB>', 'judge for this much memory instead of this machine’s', decimal(0.1, 1e6))
    .option('--json', 'print JSON')
    .action(async (flags: FitFlags) => {
      const { fitCommand } = await import('../fit-command.ts');
      process.stdout.write(await fitCommand(flags));
    });
}
