// `slmbench worker`: work on the runs of a database.
import type { Command } from 'commander';
import { decimal, integer, list } from '../option-values.ts';
import type { SetExitCode } from '../verb-index.ts';

export interface WorkerFlags {
  readonly database?: string;
  readonly id?: string;
  readonly backends?: readonly string[];
  readonly memory?: number;
  readonly label?: readonly string[];
  readonly lostAfter?: number;
  readonly exitWhenIdle?: number;
  readonly run?: string;
  readonly metricsPort?: number;
  readonly metricsHost?: string;
  readonly offline?: boolean;
}

export function register(command: Command, setExitCode: SetExitCode): void {
  command
    .option('--database <url>', 'postgres://host:port/name; passwords come from PGPASSWORD or SLMBENCH_DATABASE_URL')
    .option('--id <name>', 'name of this worker (default: host, process and a random part)')
    .option('--backends <kind...>', 'take models of these backends only', list)
    .option('--memory <gib>', 'memory that models may take (default: what is free now)', decimal(0, 100_000))
    .option('--label <text...>', 'free words shown by slmbench status', list)
    .option('--lost-after <s>', 'silence after which others take over a chunk; equal on all workers (30)', integer(2, 3600))
    .option('--exit-when-idle <s>', 'end after so long without work', decimal(0, 1e6))
    .option('--run <id>', 'work on this run only, and end with it')
    .option('--metrics-port <port>', 'serve /metrics and /healthz there', integer(0, 65_535))
    .option('--metrics-host <host>', 'address that they listen on (127.0.0.1)')
    .option('--offline', 'fetch nothing: only models and data of this machine')
    .action(async (flags: WorkerFlags) => {
      const { workerCommand } = await import('../worker-command.ts');
      setExitCode(await workerCommand(flags));
    });
}
