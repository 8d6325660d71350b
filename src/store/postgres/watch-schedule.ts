// Ticks of a watch that several machines share: pg-boss makes one job for each tick that is due, one machine takes it.
import { once } from 'node:events';
import { digestOf } from '../../core/digest.ts';
import { messageOf, ToolError } from '../../core/errors.ts';
import type { Database } from './database.ts';
import { startQueueEngine } from './queue-engine.ts';

export interface WatchScheduleOptions {
  /** Name that all machines of this watch give. */
  readonly watch: string;
  /** Five fields: the database looks at its schedules twice a minute. */
  readonly pattern: string;
  readonly timeZone: string;
  /** Pause between looks for a job, s. @default 2 */
  readonly pollSeconds?: number | undefined;
  readonly onWarning: (message: string) => void;
}

export interface WatchSchedule {
  /**
   * Ticks that fall to this machine, until the signal is aborted. A tick that throws is tried again, here or elsewhere, with growing
   * pauses; one whose machine dies is taken over after a minute.
   */
  readonly run: (tick: () => Promise<void>, signal: AbortSignal) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Without a sign of life for so long a tick is given to another machine, s. */
const lostAfterSeconds = 60;
const longestTickSeconds = 23 * 3600;
const keepSeconds = 30 * 24 * 3600;

export function watchQueue(watch: string): string {
  return `watch-${watch.replace(/[^\w.-]+/g, '-').slice(0, 60)}-${digestOf(watch).slice(0, 12)}`;
}

/**
 * Writes the schedule into the database. All machines of a watch share it, and the newest pattern holds.
 * @throws ToolError `usage` for a pattern that pg-boss does not know
 */
export async function openWatchSchedule(database: Database, options: WatchScheduleOptions): Promise<WatchSchedule> {
  const { watch, pattern, timeZone, onWarning } = options;
  const boss = await startQueueEngine(database, { supervise: true, schedule: true, onWarning });
  const close = async (): Promise<void> => {
    await boss.stop({ graceful: false, close: false });
  };
  const queue = watchQueue(watch);
  try {
    // At most one job runs and one more waits, over all machines.
    await boss.createQueue(queue, {
      policy: 'stately',
      heartbeatSeconds: lostAfterSeconds,
      expireInSeconds: longestTickSeconds,
      retentionSeconds: keepSeconds,
      retryLimit: 5,
      retryDelay: 30,
      retryBackoff: true,
    });
    // Ticks that were due while no machine was there are made up for by one.
    await boss.schedule(queue, pattern, { watch }, { tz: timeZone, missed: 'once' });
  } catch (error) {
    await close();
    if (ToolError.isInstance(error)) throw error;
    throw new ToolError('usage', `--cron "${pattern}" is not a schedule of the database: ${messageOf(error)}`, {
      cause: error,
      hint: 'five fields, e.g. "0 3 * * *" for every night at three',
    });
  }
  return {
    run: async (tick, signal) => {
      const handler = await boss.work(queue, { pollingIntervalSeconds: options.pollSeconds ?? 2 }, tick);
      if (!signal.aborted) await once(signal, 'abort');
      await boss.offWork(queue, { id: handler, wait: true });
    },
    close,
  };
}
