// `slmbench index`: the results table of all published benchmarks, between markers of a Markdown file.
import type { Command } from 'commander';
import type { IndexFlags } from '../evidence-command.ts';
import type { SetExitCode } from '../verb-index.ts';

export function register(command: Command, setExitCode: SetExitCode): void {
  command
    .argument('[file]', 'Markdown file with the markers; made where it is missing', 'BENCHMARKS.md')
    .option('--records <path...>', 'records or folders of records (benchmarks)')
    .option('--check', 'change nothing; exit code 3 where the table differs from the records')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: IndexFlags) => {
      const { indexCommand } = await import('../evidence-command.ts');
      setExitCode(await indexCommand(file, flags));
    });
}
