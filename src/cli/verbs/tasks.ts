// `slmbench tasks validate`: explain the mistakes of a task file.
import type { Command } from 'commander';

export function register(command: Command): void {
  command
    .command('validate')
    .description('check a task file and show how its first rows read')
    .argument('<file>', 'YAML or TypeScript task file')
    .option('--offline', 'make no connection at all')
    .action(async (file: string, flags: { offline?: boolean }) => {
      const { validateTaskFile } = await import('../tasks-command.ts');
      process.stdout.write(await validateTaskFile(file, flags.offline === true));
    });
}
