// `slmbench record`: look at a record; `canonical` leaves out times, resources and provenance, so that equal runs print equal text.
import type { Command } from 'commander';

export function register(command: Command): void {
  command
    .command('show')
    .description('print the record as JSON')
    .argument('<run>', 'run id, folder or record file')
    .option('-o, --output <dir>', 'folder that holds the runs')
    .action(async (run: string, flags: { output?: string }) => {
      const { showRecord } = await import('../record-command.ts');
      process.stdout.write(await showRecord(run, flags.output));
    });
  command
    .command('canonical')
    .description('print record and predictions without times, resources and provenance')
    .argument('<run>', 'run id or folder')
    .option('-o, --output <dir>', 'folder that holds the runs')
    .action(async (run: string, flags: { output?: string }) => {
      const { showCanonicalRecord } = await import('../record-command.ts');
      for await (const line of showCanonicalRecord(run, flags.output)) process.stdout.write(line);
    });
}
