// `slmbench serve`: specialised tasks over HTTP, on this machine unless told otherwise.
import type { Command } from 'commander';
import { integer, repeated } from '../option-values.ts';

export interface ServeFlags {
  readonly config?: string;
  readonly set?: readonly string[];
  readonly host?: string;
  readonly port?: number;
  readonly concurrency?: number;
  readonly queue?: number;
  readonly base?: boolean;
  readonly offline?: boolean;
}

export function register(command: Command): void {
  command
    .argument('[recipes...]', 'recipe files, one endpoint each')
    .option('-c, --config <file>', 'one more recipe file')
    .option('--set <path=value>', 'override one value of every recipe (repeatable)', repeated)
    .option('--host <address>', 'address to listen on; others than loopback need a token in SLMBENCH_TOKEN', '127.0.0.1')
    .option('--port <n>', '0 takes a free one', integer(0, 65_535), 8765)
    .option('--concurrency <n>', 'requests at work (4)', integer(1))
    .option('--queue <n>', 'requests waiting before others are refused (64)', integer(0))
    .option('--base', 'base models without their adapters')
    .option('--offline', 'make no connection at all')
    .action(async (recipes: string[], _: ServeFlags, command: Command) => {
      const { serveCommand } = await import('../serve-command.ts');
      await serveCommand(recipes, command.optsWithGlobals<ServeFlags>());
    });
}
