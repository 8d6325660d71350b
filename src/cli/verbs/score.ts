// `slmbench score`: score predictions that were made elsewhere.
import type { Command } from 'commander';
import { list, repeated } from '../option-values.ts';

export interface ScoreFlags {
  readonly metric: readonly string[];
  readonly labels?: readonly string[];
  readonly columns?: readonly string[];
  readonly filter?: string;
  readonly json?: boolean;
}

export function register(command: Command): void {
  command
    .argument('<file>', 'JSONL file, or - for standard input')
    .requiredOption('--metric <name...>', 'metrics, by comma or repetition', list)
    .option('--labels <label...>', 'declared labels of a classification task', list)
    .option(
      '--columns <role=name...>',
      'columns: label=, reference=, prediction=, id=, category= (repeatable)',
      (text: string, previous: readonly string[] | undefined) =>
        text.split(',').reduce<readonly string[]>((all, part) => repeated(part, all), previous ?? []),
    )
    .option('--filter <name>', 'which reading of an lm-eval log with several, e.g. strict-match')
    .option('--json', 'print JSON')
    .action(async (file: string, flags: ScoreFlags) => {
      const { scoreCommand } = await import('../score-command.ts');
      process.stdout.write(await scoreCommand(file, flags));
    });
}
