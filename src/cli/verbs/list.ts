// `slmbench list`: what is known and what has been run, without loading any engine.
import type { Command } from 'commander';
import { ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';

export interface ListFlags {
  readonly verbose?: boolean;
  readonly json?: boolean;
  readonly output?: string;
}

export function register(command: Command): void {
  command
    .argument('[what]', 'models, datasets, tasks or runs')
    .option('-v, --verbose', 'strengths, weaknesses, best use, instances in 8 GB, licences')
    .option('-o, --output <dir>', 'folder that holds the runs')
    .option('--json', 'print JSON')
    .action(async (what: string | undefined, flags: ListFlags) => {
      const known = ['models', 'datasets', 'tasks', 'runs'];
      if (what !== undefined && !known.includes(what))
        throw new ToolError('usage', `there is no list of "${what}"`, { hint: suggestName(what, known) });
      const { listCommand } = await import('../list-command.ts');
      process.stdout.write(await listCommand(what, flags));
    });
}
