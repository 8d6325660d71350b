// Locks that live as long as a connection: a process that dies frees them, and one that lets go frees them at once.
import type pg from 'pg';
import type { Database } from './database.ts';

/** What is locked: each kind of thing has a namespace of its own. */
export const lockSpaces = { run: 1_734_051, watch: 1_734_052 } as const;

export interface SessionLock {
  readonly release: () => Promise<void>;
}

const unlockLimitMs = 2000;

/** Closing the connection frees its locks as well, but only when the server notices: the next one to ask would be refused meanwhile. */
async function letGo(client: pg.PoolClient): Promise<void> {
  try {
    await client.query({ text: 'select pg_advisory_unlock_all()', query_timeout: unlockLimitMs } as pg.QueryConfig);
    client.release();
  } catch {
    client.release(true);
  }
}

/** A lock on a connection of its own, or null where another connection holds it. */
export async function trySessionLock(database: Database, space: keyof typeof lockSpaces, key: string): Promise<SessionLock | null> {
  const client = await database.session();
  // A connection that breaks says so at the next statement.
  const ignore = (): void => undefined;
  client.on('error', ignore);
  const release = async (): Promise<void> => {
    await letGo(client);
    client.off('error', ignore);
  };
  try {
    const result = await client.query<{ locked: boolean }>('select pg_try_advisory_lock($1, hashtext($2)) as locked', [
      lockSpaces[space],
      key,
    ]);
    if (result.rows[0]!.locked) return { release };
  } catch (error) {
    client.release(true);
    throw error;
  }
  await release();
  return null;
}
