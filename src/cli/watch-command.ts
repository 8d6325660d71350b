// `slmbench watch`: lines for people on stdout, alarms to where they were asked to go.
import { basename } from 'node:path';
import { type WatchOptions, watch } from '../app/watch/watch.ts';
import { localPlace } from '../app/watch/watch-place.ts';
import { type TickResult, watchFolder } from '../app/watch/watch-tick.ts';
import { openWorkspace } from '../app/workspace.ts';
import { ToolError } from '../core/errors.ts';
import { watchInterrupts } from './interrupt-signals.ts';
import { neutraliseForTerminal } from './neutralise-for-terminal.ts';
import { createProgressWriter, progressMode } from './progress-writer.ts';
import { shownCommandLine, toEvaluationRequest } from './run-options.ts';
import type { WatchFlags } from './verbs/watch.ts';

function print(result: TickResult, json: boolean): void {
  const { stale, runs, alarms, unsent } = result;
  if (json) {
    const pairs = stale.map(({ model, task, reason }) => ({ model: model.key, task: task.key, reason }));
    process.stdout.write(`${JSON.stringify({ stale: pairs, runs, alarms, unsent })}\n`);
    return;
  }
  const lines = [
    stale.length === 0 ? 'nothing has changed' : `measured ${stale.length} results`,
    ...stale.map(({ model, task, reason }) => `  ${model.key} on ${task.key}: ${reason}`),
    ...alarms.map(({ kind, text }) => `ALARM ${kind}: ${text}`),
    ...unsent.map((failure) => `not sent: ${failure}`),
  ];
  process.stdout.write(neutraliseForTerminal(`${lines.join('\n')}\n`));
}

export async function watchCommand(flags: WatchFlags): Promise<number> {
  if (flags.config === undefined)
    throw new ToolError('usage', 'watch needs a recipe file', { hint: 'slmbench watch -c recipe.yml --cron "0 3 * * *"' });
  if (flags.sharedName !== undefined && flags.database === undefined) {
    throw new ToolError('usage', '--shared-name goes with --database', {
      hint: 'a watch of this machine alone has the name of its recipe',
    });
  }
  if ((flags.cron === undefined) === (flags.once !== true)) {
    throw new ToolError('usage', 'watch needs either --cron or --once', { hint: 'slmbench watch -c recipe.yml --cron "0 3 * * *"' });
  }
  const { runsFolder } = await openWorkspace({ output: flags.output });
  const folder = watchFolder(runsFolder, flags.config);
  const progress = createProgressWriter(progressMode(flags));
  const interrupts = watchInterrupts();
  let alarms = 0;
  try {
    const options: Omit<WatchOptions, 'place' | 'pace'> = {
      request: toEvaluationRequest(
        flags,
        shownCommandLine(process.argv.slice(2)).replace(/(--notify-(?:url|command)[ =])('[^']*'|\S+)/g, '$1***'),
      ),
      folder,
      targets: { url: flags.notifyUrl ?? process.env['SLMBENCH_NOTIFY_URL'], file: flags.notifyFile, command: flags.notifyCommand },
      hooks: { listener: progress.listener, finish: interrupts.finish, stop: interrupts.stop },
      force: flags.all === true,
      cron: flags.cron ?? null,
      timeZone: flags.timezone,
      onTick: (result) => {
        alarms += result.alarms.filter(({ kind }) => kind !== 'model-changed').length;
        print(result, flags.json === true);
      },
      onNote: (message) => process.stderr.write(`${neutraliseForTerminal(message)}\n`),
      signal: interrupts.finish,
    };
    if (flags.database === undefined) await watch({ ...options, place: localPlace(folder), pace: null });
    else {
      const { watchOnDatabase } = await import('../app/watch/shared-watch.ts');
      await watchOnDatabase(flags.database, { ...options, name: flags.sharedName ?? basename(folder) });
    }
    if (flags.once === true) return alarms > 0 ? 3 : 0;
    return 0;
  } finally {
    progress.close();
    interrupts.dispose();
  }
}
