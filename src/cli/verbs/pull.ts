// `slmbench pull`: fetch models and datasets into the cache, and say which source served.
import type { Command } from 'commander';

export interface PullFlags {
  readonly offline?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly progress?: string;
}

export function register(command: Command): void {
  command
    .argument('<name...>', 'model reference or dataset name')
    .option('--offline', 'only look in the cache')
    .option('--json', 'print JSON')
    .option('--progress <mode>', 'tty, plain or ndjson')
    .option('-q, --quiet', 'no progress')
    .action(async (names: readonly string[], flags: PullFlags) => {
      const { pullCommand } = await import('../pull-command.ts');
      await pullCommand(names, flags);
    });
}
