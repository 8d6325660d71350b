// pg-boss on the shared database: its own schema, our connections.
import { PgBoss } from 'pg-boss';
import type { Database } from './database.ts';

export interface QueueEngineOptions {
  /** Watch over lost jobs and clean up. */
  readonly supervise: boolean;
  /** Make jobs of schedules that are due. */
  readonly schedule: boolean;
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** Creates or updates the tables of pg-boss, and starts it. */
export async function startQueueEngine(database: Database, { supervise, schedule, onWarning }: QueueEngineOptions): Promise<PgBoss> {
  const boss = new PgBoss({
    schema: 'slmbench_queue',
    db: { executeSql: (text, values) => database.raw(text, values ?? []) as Promise<{ rows: unknown[] }> },
    supervise,
    schedule,
    registerInstance: false,
    superviseIntervalSeconds: 10,
    monitorIntervalSeconds: 10,
  });
  boss.on('error', (error) => onWarning?.(error.message));
  await boss.start({ attempts: 5 });
  return boss;
}
