// A watch that several machines share through a database: each tick falls to one of them, its runs to all workers, its history to all.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import { safeFileName } from '../../core/names.ts';
import type { SharedStore } from '../../store/postgres/shared-store.ts';
import { openWatchSchedule } from '../../store/postgres/watch-schedule.ts';
import { insertWatchLines, readWatchLines, withWatchLock } from '../../store/postgres/watch-table.ts';
import { loadSharedStore } from '../../store/registry.ts';
import { exportRun } from '../distributed/export-run.ts';
import { runOnDatabase } from '../distributed/run-on-database.ts';
import { parseHistory } from './history.ts';
import { type WatchOptions, watch } from './watch.ts';
import type { WatchPlace } from './watch-place.ts';

/** How long a tick waits for a database that is away. */
const patienceMs = 15 * 60_000;

export interface SharedWatchOptions extends Omit<WatchOptions, 'place' | 'pace'> {
  /** Name that all machines of this watch give. */
  readonly name: string;
  /** Pause between looks for a due tick, s. @default 2 */
  readonly pollSeconds?: number | undefined;
}

function sharedPlace(store: SharedStore, url: string, name: string): WatchPlace {
  const { database } = store;
  return {
    history: async () => parseHistory(await readWatchLines(database, name), `history of watch ${name} in ${database.shown}`),
    append: (values) =>
      insertWatchLines(
        database,
        name,
        values.map((value) => JSON.stringify(value)),
      ),
    measure: (request, hooks) => runOnDatabase(url, request, hooks),
    fetchRun: async (runId, runsFolder) => {
      if (existsSync(join(runsFolder, safeFileName(runId), 'record.json'))) return;
      await exportRun(store, runId, runsFolder);
    },
  };
}

/** @throws ToolError `usage` for a pattern with seconds */
function requireMinutes(pattern: string): void {
  if (pattern.trim().split(/\s+/).length <= 5) return;
  throw new ToolError('usage', `--cron "${pattern}" has a field for seconds; ticks from a database come by the minute`, {
    hint: 'five fields, e.g. "0 3 * * *" for every night at three',
  });
}

/** @throws ToolError as `watch` does, and as opening the database does */
export async function watchOnDatabase(url: string, { name, pollSeconds, ...options }: SharedWatchOptions): Promise<void> {
  if (options.cron !== null) requireMinutes(options.cron);
  const store = await loadSharedStore(url, {
    patienceMs,
    onOutage: (message) => options.onNote(message ?? 'the database is back'),
  });
  try {
    await watch({
      ...options,
      place: sharedPlace(store, url, name),
      pace: {
        alone: (work) => withWatchLock(store.database, name, work),
        run: async (pattern, timeZone, tick, signal) => {
          const schedule = await openWatchSchedule(store.database, {
            watch: name,
            pattern,
            // Machines in other zones mean the same hour.
            timeZone: timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
            pollSeconds,
            onWarning: options.onNote,
          });
          try {
            await schedule.run(tick, signal);
          } finally {
            await schedule.close();
          }
        },
      },
    });
  } finally {
    await store.close();
  }
}
