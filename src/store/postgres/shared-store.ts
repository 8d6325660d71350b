// The shared store: one database for runs, work and events, opened with its schema brought up to date.
import type { RunStore } from '../../core/ports/run-store.ts';
import { type Database, type DatabaseOptions, openDatabase } from './database.ts';
import { databaseAddress } from './database-url.ts';
import { migrate } from './migrations.ts';
import { openPostgresRunStore } from './postgres-run-store.ts';

export interface SharedStore {
  readonly database: Database;
  readonly runs: RunStore;
  readonly close: () => Promise<void>;
}

export interface SharedStoreOptions extends DatabaseOptions {
  readonly environment?: NodeJS.ProcessEnv | undefined;
}

/**
 * @param flag - `--database`; undefined: the environment names it
 * @throws ToolError `usage`, `transport`, `access`, `not-found` when it cannot be reached, `unsupported` when it is of a newer version
 */
export async function openSharedStore(flag: string | undefined, options: SharedStoreOptions = {}): Promise<SharedStore> {
  const address = databaseAddress(flag, options.environment);
  // The first contact fails at once: a wrong address does not get better by waiting.
  const first = openDatabase(address, { ...options, patienceMs: 0, connections: 1 });
  try {
    await migrate(first);
  } finally {
    await first.close();
  }
  const database = openDatabase(address, options);
  return { database, runs: openPostgresRunStore(database), close: () => database.close() };
}
