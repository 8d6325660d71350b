// What watches have seen, one line each, and the lock that keeps two machines from one tick.
import { ToolError } from '../../core/errors.ts';
import type { Database } from './database.ts';
import { trySessionLock } from './session-lock.ts';

/** Lines of a watch, oldest first. */
export async function readWatchLines(database: Database, watch: string): Promise<readonly string[]> {
  const rows = await database.query<{ line: string }>('select line from slmbench.watch_lines where watch = $1 order by id', [watch]);
  return rows.map(({ line }) => line);
}

export async function insertWatchLines(database: Database, watch: string, lines: readonly string[]): Promise<void> {
  if (lines.length === 0) return;
  await database.query('insert into slmbench.watch_lines (watch, line) select $1, * from unnest($2::text[])', [watch, lines]);
}

/**
 * Works while no other machine works on the same watch. A process that dies frees the lock with its connection.
 * @throws ToolError `locked` where another one is at it
 */
export async function withWatchLock<T>(database: Database, watch: string, work: () => Promise<T>): Promise<T> {
  const lock = await trySessionLock(database, 'watch', watch);
  if (lock === null) {
    throw new ToolError('locked', `another machine works on watch ${watch} in ${database.shown} now`, {
      hint: 'its tick counts for all; the next one is shared again',
    });
  }
  try {
    return await work();
  } finally {
    await lock.release();
  }
}
