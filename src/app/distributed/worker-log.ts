// Structured logs of a worker: one JSON object a line, with worker and run, on a stream and in the run's own event list.
import { insertEvent } from '../../store/postgres/event-table.ts';
import type { SharedStore } from '../../store/postgres/shared-store.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export interface LogFields {
  readonly run?: string | undefined;
  readonly chunk?: number | undefined;
  readonly [name: string]: unknown;
}

export interface WorkerLog {
  /** @param run - key of the run in the database, where the line belongs to one */
  readonly write: (level: LogLevel, message: string, fields?: LogFields, run?: string) => void;
  /** Resolves when the lines so far are in the database, or could not be written. */
  readonly flush: () => Promise<void>;
}

export interface WorkerLogInput {
  readonly worker: string;
  readonly store: SharedStore;
  readonly write: (line: string) => void;
}

export function openWorkerLog({ worker, store, write }: WorkerLogInput): WorkerLog {
  let writing: Promise<unknown> = Promise.resolve();
  return {
    write: (level, message, fields = {}, run) => {
      const line = JSON.stringify({ at: new Date().toISOString(), level, worker, ...fields, message });
      write(`${line}\n`);
      if (run === undefined || level === 'debug') return;
      // The log may lack a line when the database is away; the journal never does.
      writing = writing.then(() => insertEvent(store.database, run, line)).catch(() => undefined);
    },
    flush: async () => {
      await writing;
    },
  };
}
