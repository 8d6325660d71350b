// `slmbench view`: look at runs in the browser, or write them as a static site.
import type { Command } from 'commander';
import { integer } from '../option-values.ts';
import type { SetExitCode } from '../verb-index.ts';

export interface ViewFlags {
  readonly output?: string;
  readonly port: number;
  readonly host: string;
  readonly export?: string;
  readonly training?: readonly string[];
  readonly json?: boolean;
}

export function register(command: Command, setExitCode: SetExitCode): void {
  command
    .option('-o, --output <dir>', 'folder that holds the runs')
    .option('--port <n>', 'port to listen on; 0 takes any free one', integer(0, 65_535), 7878)
    .option('--host <name>', 'loopback address to listen on', '127.0.0.1')
    .option('--export <dir>', 'write a static site into a new folder instead')
    .option('--training <dir...>', 'folders with records of specialised models (default: the project folder)')
    .option('--json', 'print the address as JSON')
    .action(async (flags: ViewFlags) => {
      const { viewCommand } = await import('../view-command.ts');
      setExitCode(await viewCommand(flags));
    });
}
