// When a watch ticks: by cron pattern, one tick at a time, and once for all ticks that were missed.
import { Cron } from 'croner';
import { messageOf, ToolError } from '../../core/errors.ts';

export interface Schedule {
  /** Is a tick due that nobody made? `last`: time of the last tick, null before the first. */
  readonly missed: (last: Date | null, now: Date) => boolean;
  readonly next: (now: Date) => Date | null;
  /** Ticks until the signal is aborted; a tick that takes longer than the interval delays the next one, none runs beside it. */
  readonly run: (tick: () => Promise<void>, signal: AbortSignal) => Promise<void>;
}

/** @throws ToolError `usage` for a wrong pattern or time zone */
export function openSchedule(pattern: string, timeZone?: string): Schedule {
  let cron: Cron;
  const options = { paused: true, protect: true, ...(timeZone === undefined ? {} : { timezone: timeZone }) };
  try {
    cron = new Cron(pattern, options);
    cron.nextRun();
  } catch (cause) {
    throw new ToolError('usage', `--cron "${pattern}" is not a schedule: ${messageOf(cause)}`, {
      cause,
      hint: 'five fields, e.g. "0 3 * * *" for every night at three',
    });
  }
  return {
    missed: (last, now) => {
      const due = cron.previousRuns(1, now)[0];
      return last !== null && due !== undefined && due.getTime() > last.getTime();
    },
    next: (now) => cron.nextRun(now),
    run: (tick, signal) =>
      new Promise((resolve, reject) => {
        let running: Promise<void> = Promise.resolve();
        const job = new Cron(pattern, { ...options, paused: false }, () => {
          running = tick().catch((error: unknown) => {
            job.stop();
            reject(error);
          });
          return running;
        });
        const end = (): void => {
          job.stop();
          void running.then(resolve);
        };
        if (signal.aborted) end();
        else signal.addEventListener('abort', end, { once: true });
      }),
  };
}
