// `slmbench logs`: what workers did for a run, as JSON lines.
import type { Command } from 'commander';
import type { SetExitCode } from '../verb-index.ts';

export interface LogsFlags {
  readonly database?: string;
  readonly follow?: boolean;
}

export function register(command: Command, setExitCode: SetExitCode): void {
  command
    .argument('<run>', 'run id')
    .option('--database <url>', 'postgres://host:port/name; passwords come from PGPASSWORD or SLMBENCH_DATABASE_URL')
    .option('-f, --follow', 'go on until interrupted')
    .action(async (run: string, flags: LogsFlags) => {
      const { logsCommand } = await import('../shared-commands.ts');
      setExitCode(await logsCommand(run, flags));
    });
}
