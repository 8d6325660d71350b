// The ways to keep runs and answers; each is loaded only when it is used.
import type { RunStore, RunSummary } from '../core/ports/run-store.ts';
import type { SqliteCache, SqliteCacheOptions } from './cache/sqlite-cache.ts';
import type { SharedStore, SharedStoreOptions } from './postgres/shared-store.ts';

/** Runs as folders under `rootFolder`. */
export async function loadFileRunStore(rootFolder: string): Promise<RunStore> {
  const { openFileRunStore } = await import('./files/file-run-store.ts');
  return openFileRunStore(rootFolder);
}

/** Runs of a folder, newest first; loads no schema. */
export async function listFileRuns(rootFolder: string): Promise<readonly RunSummary[]> {
  const { listRuns } = await import('./files/list-runs.ts');
  return listRuns(rootFolder);
}

/** Model answers in one SQLite file. */
export async function loadResponseCache(options: SqliteCacheOptions): Promise<SqliteCache> {
  const { openSqliteCache } = await import('./cache/sqlite-cache.ts');
  return openSqliteCache(options);
}

/** Runs and work on PostgreSQL, shared by many machines. @param url - without password; undefined: the environment names it */
export async function loadSharedStore(url: string | undefined, options: SharedStoreOptions = {}): Promise<SharedStore> {
  const { openSharedStore } = await import('./postgres/shared-store.ts');
  return openSharedStore(url, options);
}
