// `slmbench charts`: the report, pictures and tables of finished runs.
import type { Command } from 'commander';
import { list } from '../option-values.ts';

export interface ChartsFlags {
  readonly output?: string;
  readonly reportDir: string;
  readonly format?: readonly string[];
  readonly json?: boolean;
}

export function register(command: Command): void {
  command
    .argument('<run...>', 'run ids, folders, or record files; "latest" for the newest')
    .option('-o, --output <dir>', 'folder that holds the runs')
    .option('--report-dir <dir>', 'folder of reports', 'reports')
    .option('-f, --format <name...>', 'md, html, png, svg, csv, xlsx, latex, junit (default: md html png svg)', list)
    .option('--json', 'print the paths as JSON')
    .action(async (runs: readonly string[], flags: ChartsFlags) => {
      const { chartsCommand } = await import('../charts-command.ts');
      process.stdout.write(await chartsCommand(runs, flags));
    });
}
