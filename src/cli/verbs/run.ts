// `slmbench run`: evaluate models on tasks and leave a verifiable record.
import type { Command } from 'commander';
import { integer } from '../option-values.ts';
import type { SetExitCode } from '../program.ts';
import { addRunOptions, type RunFlags } from '../run-options.ts';

export function registerRun(program: Command, setExitCode: SetExitCode): void {
  addRunOptions(program.command('run').description('evaluate models on tasks; prints the comparison and writes runs/<id>/'))
    .option('-n, --max-samples <n>', 'seeded sample of N items per task', integer(1))
    .action(async (_: RunFlags, command: Command) => {
      const { runEvaluation } = await import('../run-evaluation.ts');
      setExitCode(await runEvaluation(command.optsWithGlobals<RunFlags>()));
    });
}
