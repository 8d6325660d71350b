// `slmbench list`: what is known and what has been run, without loading any engine.
import type { Command } from 'commander';
import { Argument } from 'commander';

export interface ListFlags {
  readonly verbose?: boolean;
  readonly json?: boolean;
  readonly output?: string;
}

export function register(command: Command): void {
  command
    .addArgument(new Argument('[what]', 'models, datasets, tasks or runs').choices(['models', 'datasets', 'tasks', 'runs']))
    .option('-v, --verbose', 'strengths, weaknesses, best use, instances in 8 GB, licences')
    .option('-o, --output <dir>', 'folder that holds the runs')
    .option('--json', 'print JSON')
    .action(async (what: string | undefined, flags: ListFlags) => {
      const { listCommand } = await import('../list-command.ts');
      process.stdout.write(await listCommand(what, flags));
    });
}
