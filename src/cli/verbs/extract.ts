// `slmbench extract`: show how an answer is read.
import type { Command } from 'commander';

export function registerExtract(program: Command): void {
  program
    .command('extract')
    .description('read answers from JSONL on standard input (output, options or labels); prints value, rule, reason per line')
    .requiredOption('--kind <kind>', 'choice, number, label, json, code, ...')
    .action(async (flags: { kind: string }) => {
      const { extractCommand } = await import('../extract-command.ts');
      await extractCommand(flags.kind);
    });
}
