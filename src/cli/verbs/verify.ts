// `slmbench verify`: recompute every number of a record from its journal.
import type { Command } from 'commander';
import type { SetExitCode } from '../verb-index.ts';

export interface VerifyFlags {
  readonly output?: string;
  readonly json?: boolean;
}

export function register(command: Command, setExitCode: SetExitCode): void {
  command
    .argument('<run>', 'run id or folder, or a benchmark record (LMTask’s too)')
    .option('-o, --output <dir>', 'folder that holds the runs')
    .option('--json', 'print JSON')
    .action(async (run: string, flags: VerifyFlags) => {
      const { isBenchmarkPath, verifyBenchmarks } = await import('../evidence-command.ts');
      if (await isBenchmarkPath(run)) return setExitCode(await verifyBenchmarks([run], flags));
      const { verifyCommand } = await import('../verify-command.ts');
      setExitCode(await verifyCommand(run, flags));
    });
}
