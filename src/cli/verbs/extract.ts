// `slmbench extract`: show how an answer is read.
import type { Command } from 'commander';

export function register(command: Command): void {
  command.requiredOption('--kind <kind>', 'choice, number, label, json, code, ...').action(async (flags: { kind: string }) => {
    const { extractCommand } = await import('../extract-command.ts');
    await extractCommand(flags.kind);
  });
}
