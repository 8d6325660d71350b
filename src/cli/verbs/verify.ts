// `slmbench verify`: recompute every number of a record from its journal.
import type { Command } from 'commander';
import type { SetExitCode } from '../program.ts';

export interface VerifyFlags {
  readonly output?: string;
  readonly json?: boolean;
}

export function registerVerify(program: Command, setExitCode: SetExitCode): void {
  program
    .command('verify')
    .description('recompute every number of a run from its journal; fails on any difference')
    .argument('<run>', 'run id, folder, or a published record file')
    .option('-o, --output <dir>', 'folder that holds the runs')
    .option('--json', 'print JSON')
    .action(async (run: string, flags: VerifyFlags) => {
      const { verifyCommand } = await import('../verify-command.ts');
      setExitCode(await verifyCommand(run, flags));
    });
}
