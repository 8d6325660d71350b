// `slmbench merge`: joins the shards of one run.
import type { Command } from 'commander';
import type { SetExitCode } from '../verb-index.ts';

export interface MergeFlags {
  readonly output?: string;
  readonly json?: boolean;
}

export function register(command: Command, setExitCode: SetExitCode): void {
  command
    .argument('<shard...>', 'run folders or ids of all shards, in any order')
    .option('-o, --output <dir>', 'folder that holds the runs')
    .option('--json', 'print the record as JSON')
    .action(async (shards: readonly string[], flags: MergeFlags) => {
      const { mergeCommand } = await import('../merge-command.ts');
      setExitCode(await mergeCommand(shards, flags));
    });
}
