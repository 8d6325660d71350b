// `slmbench migrate`: LMTask configurations to a recipe, with a list of what cannot be carried.
import type { Command } from 'commander';
import type { MigrateFlags } from '../evidence-command.ts';

export function register(command: Command): void {
  command
    .argument('<files...>', 'LMTask YAML files, imported ones before those that import them')
    .option('-o, --output <file>', 'where the recipe goes; otherwise standard output')
    .option('--json', 'print JSON')
    .action(async (files: string[], flags: MigrateFlags) => {
      const { migrateCommand } = await import('../evidence-command.ts');
      await migrateCommand(files, flags);
    });
}
