// `slmbench setup training`: make the Python environment that trains, once.
import { Argument, type Command } from 'commander';

export function register(command: Command): void {
  command
    .addArgument(new Argument('<what>', 'what to set up').choices(['training']))
    .option('--variant <name>', 'cpu or cuda (chosen by the machine)')
    .option('--offline', 'make no connection at all')
    .action(async (_: string, flags: { readonly variant?: string; readonly offline?: boolean }) => {
      const { setupCommand } = await import('../setup-command.ts');
      await setupCommand(flags);
    });
}
