// `slmbench watch`: measure again what changed, by schedule, and tell when something got worse.
import type { Command } from 'commander';
import { addRunOptions, type RunFlags } from '../run-options.ts';
import type { SetExitCode } from '../verb-index.ts';

export interface WatchFlags extends RunFlags {
  readonly cron?: string;
  readonly timezone?: string;
  readonly once?: boolean;
  readonly all?: boolean;
  readonly sharedName?: string;
  readonly notifyUrl?: string;
  readonly notifyFile?: string;
  readonly notifyCommand?: string;
}

export function register(command: Command, setExitCode: SetExitCode): void {
  addRunOptions(command)
    .option('--cron <pattern>', 'schedule, e.g. "0 3 * * *"')
    .option('--timezone <name>', 'time zone of the schedule, e.g. Europe/Berlin (local)')
    .option('--once', 'one tick now, then end (for another scheduler)')
    .option('--all', 'measure everything again, changed or not')
    .option('--database <url>', 'share the watch with other machines: ticks, runs and history live in the database')
    .option('--shared-name <name>', 'name under which they share it (default: the name of the recipe file)')
    .option('--notify-url <url>', 'webhook for alarms (default: $SLMBENCH_NOTIFY_URL)')
    .option('--notify-file <file>', 'append alarms there, one JSON object a line')
    .option('--notify-command <command>', 'shell command that gets each alarm as JSON on its input')
    .action(async (_: WatchFlags, command: Command) => {
      const { watchCommand } = await import('../watch-command.ts');
      setExitCode(await watchCommand(command.optsWithGlobals<WatchFlags>()));
    });
}
