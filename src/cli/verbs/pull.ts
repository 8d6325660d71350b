// `slmbench pull`: fetch models and datasets into the cache, and say which source served.
import type { Command } from 'commander';

export interface PullFlags {
  readonly offline?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly progress?: string;
}

export function registerPull(program: Command): void {
  program
    .command('pull')
    .description('fetch models or datasets into the cache, checked by sha256')
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
