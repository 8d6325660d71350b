// `slmbench status`: runs and workers of a database.
import type { Command } from 'commander';
import type { SetExitCode } from '../verb-index.ts';

export interface StatusFlags {
  readonly database?: string;
  readonly json?: boolean;
}

export function register(command: Command, setExitCode: SetExitCode): void {
  command
    .argument('[run]', 'run id; default: all')
    .option('--database <url>', 'postgres://host:port/name; passwords come from PGPASSWORD or SLMBENCH_DATABASE_URL')
    .option('--json', 'print JSON')
    .action(async (run: string | undefined, flags: StatusFlags) => {
      const { statusCommand } = await import('../shared-commands.ts');
      setExitCode(await statusCommand(run, flags));
    });
}
