// `slmbench doctor`: what this machine has and can do.
import type { Command } from 'commander';

export function register(command: Command): void {
  command
    .option('--offline', 'make no connection at all')
    .option('--json', 'print JSON')
    .action(async (flags: { offline?: boolean; json?: boolean }) => {
      const { doctorCommand } = await import('../doctor-command.ts');
      process.stdout.write(await doctorCommand(flags));
    });
}
