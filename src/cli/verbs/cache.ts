// `slmbench cache`: what is stored, what can go, and why an answer was or was not reused.
import type { Command } from 'commander';
import { integer } from '../option-values.ts';

export function register(command: Command): void {
  command
    .command('ls')
    .description('list cached files and the response cache')
    .option('--json', 'print JSON')
    .action(async (flags: { json?: boolean }) => {
      const { listCache } = await import('../cache-command.ts');
      process.stdout.write(await listCache(flags.json === true));
    });
  command
    .command('prune')
    .description('delete cached files that were not used for some days')
    .option('--older-than <days>', 'days without use (30)', integer(0), 30)
    .option('--responses', 'also empty the response cache')
    .option('--dry-run', 'only say what would go')
    .action(async (flags: { olderThan: number; responses?: boolean; dryRun?: boolean }) => {
      const { pruneCache } = await import('../cache-command.ts');
      process.stdout.write(await pruneCache(flags));
    });
  command
    .command('explain')
    .description('print the inputs that made a response cache key')
    .argument('<key>', 'key, or its first digits')
    .action(async (key: string) => {
      const { explainCacheKey } = await import('../cache-command.ts');
      process.stdout.write(await explainCacheKey(key));
    });
}
