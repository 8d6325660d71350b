// `slmbench verify`: recompute every number of a record from its journal.
import type { Command } from 'commander';
import type { SetExitCode } from '../verb-index.ts';

export interface VerifyFlags {
  readonly output?: string;
  readonly json?: boolean;
}

export function register(command: Command, setExitCode: SetExitCode): void {
  command
    .argument('<run>', 'run id, folder, or a published record file')
    .option('-o, --output <dir>', 'folder that holds the runs')
    .option('--json', 'print JSON')
    .action(async (run: string, flags: VerifyFlags) => {
      const { verifyCommand } = await import('../verify-command.ts');
      setExitCode(await verifyCommand(run, flags));
    });
}
