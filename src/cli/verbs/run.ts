// `slmbench run`: evaluate models on tasks and leave a verifiable record.
import type { Command } from 'commander';
import { integer, shard } from '../option-values.ts';
import { addRunOptions, type RunFlags } from '../run-options.ts';
import type { SetExitCode } from '../verb-index.ts';

export function register(command: Command, setExitCode: SetExitCode): void {
  addRunOptions(command)
    .option('-n, --max-samples <n>', 'seeded sample of N items per task', integer(1))
    .option('--shard <i/n>', 'run the i-th of n equal parts; slmbench merge joins the parts', shard)
    .option('--database <url>', 'share the run with the workers of a database, and work on it here, too')
    .action(async (_: RunFlags, command: Command) => {
      const { runEvaluation } = await import('../run-evaluation.ts');
      setExitCode(await runEvaluation(command.optsWithGlobals<RunFlags>()));
    });
}
