// `slmbench watch`: ticks by schedule, one at a time, and goes on after a tick that failed.
import { mkdir } from 'node:fs/promises';
import { messageOf, ToolError } from '../../core/errors.ts';
import { takeRunLock } from '../../store/files/run-lock.ts';
import { redactSecrets } from './redact-secrets.ts';
import { openSchedule } from './schedule.ts';
import { type TickInput, type TickResult, watchTick } from './watch-tick.ts';

/** Who makes the ticks come, and keeps them apart, where this machine is not alone. */
export interface SharedPace {
  /** @throws ToolError `locked` while another machine is at it */
  readonly alone: <T>(work: () => Promise<T>) => Promise<T>;
  readonly run: (pattern: string, timeZone: string | undefined, tick: () => Promise<void>, signal: AbortSignal) => Promise<void>;
}

export interface WatchOptions extends TickInput {
  /** null: one tick now. */
  readonly cron: string | null;
  readonly timeZone?: string | undefined;
  /** null: this machine alone. */
  readonly pace: SharedPace | null;
  readonly onTick: (result: TickResult) => void;
  readonly onNote: (message: string) => void;
  readonly signal: AbortSignal;
}

/** @throws ToolError `locked` when another watch of this recipe runs; with `cron: null` also whatever the tick throws */
export async function watch(options: WatchOptions): Promise<void> {
  const { cron, pace, timeZone, onNote, signal } = options;
  const schedule = cron === null ? null : openSchedule(cron, timeZone);
  await mkdir(options.folder, { recursive: true }).catch((cause: unknown) => {
    throw new ToolError('storage', `cannot use ${options.folder}: ${messageOf(cause)}`, { cause });
  });
  const lock = takeRunLock(options.folder);
  const tickNow = async (): Promise<void> => options.onTick(await watchTick(options));
  const tickAlone = pace === null ? tickNow : () => pace.alone(tickNow);
  const sayNext = (): void => onNote(`next tick ${schedule?.next(new Date())?.toISOString() ?? 'never'}`);
  try {
    if (schedule === null || cron === null) return await tickAlone();
    const tick = async (): Promise<void> => {
      try {
        await tickAlone();
      } catch (error) {
        onNote(redactSecrets(`tick failed: ${messageOf(error)}`));
        // A shared tick that this machine could not make is still to be made.
        if (pace !== null && (signal.aborted || (ToolError.isInstance(error) && error.code === 'locked'))) throw error;
        // A server that is down tonight may be up tomorrow; a wrong recipe is told each time.
      }
      sayNext();
    };
    if (pace !== null) {
      sayNext();
      return await pace.run(cron, timeZone, tick, signal);
    }
    const last = (await options.place.history()).ticks.at(-1)?.tick;
    if (schedule.missed(last === undefined ? null : new Date(last), new Date())) {
      onNote('a tick was missed; it is made up for now');
      await tick();
    } else sayNext();
    await schedule.run(tick, signal);
  } finally {
    lock.release();
  }
}
