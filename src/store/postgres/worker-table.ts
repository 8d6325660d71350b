// Workers that have announced themselves, and their last sign of life by the database's clock.
import type { Database } from './database.ts';

export interface WorkerEntry {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  /** JSON of what the worker can run. */
  readonly abilities: string;
  readonly doing: string | null;
}

/** Announces a worker, or renews its sign of life. */
export async function announceWorker(database: Database, worker: WorkerEntry): Promise<void> {
  await database.query(
    `insert into slmbench.workers (id, host, pid, abilities, doing) values ($1, $2, $3, $4, $5)
     on conflict (id) do update set abilities = excluded.abilities, doing = excluded.doing, seen = clock_timestamp()`,
    [worker.id, worker.host, worker.pid, worker.abilities, worker.doing],
  );
}

export async function removeWorker(database: Database, id: string): Promise<void> {
  await database.query('delete from slmbench.workers where id = $1', [id]);
}

/** Workers that have been silent for a day leave the list. */
export async function forgetOldWorkers(database: Database): Promise<void> {
  await database.query(`delete from slmbench.workers where seen < clock_timestamp() - interval '1 day'`);
}

export async function listWorkers(database: Database): Promise<readonly (WorkerEntry & { readonly silentSeconds: number })[]> {
  return database.query(
    `select id, host, pid, abilities, doing, extract(epoch from clock_timestamp() - seen)::float as "silentSeconds"
     from slmbench.workers order by started`,
  );
}
