// What happened to a run, line by line, for `slmbench logs`.
import type { Database } from './database.ts';

export interface EventLine {
  readonly id: string;
  readonly at: string;
  /** One JSON object. */
  readonly event: string;
}

export async function insertEvent(database: Database, run: string, event: string): Promise<void> {
  await database.query('insert into slmbench.events (run, event) values ($1, $2)', [run, event]);
}

/** Events after the given one, oldest first. */
export async function readEvents(database: Database, run: string, afterId: string, limit: number): Promise<readonly EventLine[]> {
  const rows = await database.query<{ id: string; at: Date; event: string }>(
    'select id::text as id, at, event from slmbench.events where run = $1 and id > $2 order by id limit $3',
    [run, afterId, limit],
  );
  return rows.map(({ id, at, event }) => ({ id, at: at.toISOString(), event }));
}
