// `slmbench submit`: hand a run to the workers of a database.
import type { Command } from 'commander';
import { integer } from '../option-values.ts';
import { addRunOptions, type RunFlags } from '../run-options.ts';
import type { SetExitCode } from '../verb-index.ts';

export interface SubmitFlags extends RunFlags {
  readonly database?: string;
  readonly priority?: number;
  readonly chunkSeconds?: number;
  readonly chunkSamples?: number;
}

export function register(command: Command, setExitCode: SetExitCode): void {
  addRunOptions(command)
    .option('-n, --max-samples <n>', 'seeded sample of N items per task', integer(1))
    .option('--database <url>', 'postgres://host:port/name; passwords come from PGPASSWORD or SLMBENCH_DATABASE_URL')
    .option('--priority <n>', 'higher runs first (0)', integer(-1000, 1000))
    .option('--chunk-seconds <s>', 'estimated work of a chunk (30)', integer(1, 3600))
    .option('--chunk-samples <n>', 'samples of a chunk, instead of an estimate', integer(1, 100_000))
    .action(async (_: SubmitFlags, command: Command) => {
      const { submitCommand } = await import('../submit-command.ts');
      setExitCode(await submitCommand(command.optsWithGlobals<SubmitFlags>()));
    });
}
