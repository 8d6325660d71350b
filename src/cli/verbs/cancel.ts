// `slmbench cancel`: end a run of a database before its time; what is done stays, with a partial record.
import type { Command } from 'commander';
import type { SetExitCode } from '../verb-index.ts';

export interface CancelFlags {
  readonly database?: string;
}

export function register(command: Command, setExitCode: SetExitCode): void {
  command
    .argument('<run>', 'run id')
    .option('--database <url>', 'postgres://host:port/name; passwords come from PGPASSWORD or SLMBENCH_DATABASE_URL')
    .action(async (run: string, flags: CancelFlags) => {
      const { cancelCommand } = await import('../shared-commands.ts');
      setExitCode(await cancelCommand(run, flags));
    });
}
