// `slmbench watch`: ticks by schedule, alone on its folder, and goes on after a tick that failed.
import { mkdir } from 'node:fs/promises';
import { messageOf, ToolError } from '../../core/errors.ts';
import { takeRunLock } from '../../store/files/run-lock.ts';
import { readHistory } from './history.ts';
import { redactSecrets } from './redact-secrets.ts';
import { openSchedule } from './schedule.ts';
import { type TickInput, type TickResult, watchTick } from './watch-tick.ts';

export interface WatchOptions extends TickInput {
  /** null: one tick now. */
  readonly cron: string | null;
  readonly timeZone?: string | undefined;
  readonly onTick: (result: TickResult) => void;
  readonly onNote: (message: string) => void;
  readonly signal: AbortSignal;
}

/** @throws ToolError `locked` when another watch of this recipe runs; with `cron: null` also whatever the tick throws */
export async function watch(options: WatchOptions): Promise<void> {
  const schedule = options.cron === null ? null : openSchedule(options.cron, options.timeZone);
  await mkdir(options.folder, { recursive: true }).catch((cause: unknown) => {
    throw new ToolError('storage', `cannot use ${options.folder}: ${messageOf(cause)}`, { cause });
  });
  const lock = takeRunLock(options.folder);
  try {
    if (schedule === null) {
      options.onTick(await watchTick(options));
      return;
    }
    const tick = async (): Promise<void> => {
      try {
        options.onTick(await watchTick(options));
      } catch (error) {
        // A server that is down tonight may be up tomorrow; a wrong recipe is told each time.
        options.onNote(redactSecrets(`tick failed: ${messageOf(error)}`));
      }
      const next = schedule.next(new Date());
      if (next !== null) options.onNote(`next tick ${next.toISOString()}`);
    };
    const last = (await readHistory(options.folder)).ticks.at(-1)?.tick;
    if (schedule.missed(last === undefined ? null : new Date(last), new Date())) {
      options.onNote('a tick was missed; it is made up for now');
      await tick();
    } else options.onNote(`next tick ${schedule.next(new Date())?.toISOString() ?? 'never'}`);
    await schedule.run(tick, options.signal);
  } finally {
    lock.release();
  }
}
