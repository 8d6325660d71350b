// `slmbench quickstart`: the main job on a real model, with nothing to decide.
import type { Command } from 'commander';
import { integer } from '../option-values.ts';
import type { SetExitCode } from '../verb-index.ts';

export interface QuickstartFlags {
  readonly threads?: number;
  readonly output?: string;
  readonly offline?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly progress?: string;
}

export function register(command: Command, setExitCode: SetExitCode): void {
  command
    .option('--threads <n>', 'engine threads (physical cores)', integer(1, 512))
    .option('-o, --output <path>', 'folder that holds the run')
    .option('--offline', 'make no connection at all')
    .option('--json', 'print the record as JSON')
    .option('--progress <mode>', 'tty, plain or ndjson')
    .option('-q, --quiet', 'no progress, only results')
    .action(async (flags: QuickstartFlags) => {
      const { quickstartCommand } = await import('../quickstart-command.ts');
      setExitCode(await quickstartCommand(flags));
    });
}
