// `slmbench report`: one benchmark record as its report, or many as one table.
import { type Command, Option } from 'commander';
import type { ReportFlags } from '../evidence-command.ts';

export function register(command: Command): void {
  command
    .argument('<records...>', 'benchmark records (LMTask’s too) or folders that hold them')
    .addOption(
      new Option('-f, --format <name>', 'md, csv, xlsx, tex, json or html')
        .choices(['md', 'csv', 'xlsx', 'tex', 'json', 'html'])
        .default('md'),
    )
    .option('--template <file>', 'a Jinja template of your own over each record (record, columns)')
    .option('-o, --output <file>', 'write there instead of standard output')
    .action(async (records: string[], flags: ReportFlags) => {
      const { reportCommand } = await import('../evidence-command.ts');
      await reportCommand(records, flags);
    });
}
