// Runs kept in PostgreSQL, shared by many machines; the same contract as the store of files.
import { hostname } from 'node:os';
import { ToolError } from '../../core/errors.ts';
import type { RunPlan } from '../../core/plan.ts';
import type { RunStore, RunWriter } from '../../core/ports/run-store.ts';
import { artifactDigest, readArtifactText, writeArtifact } from './artifact-table.ts';
import type { Database } from './database.ts';
import { insertJournalRows, journalRows, rowPlaces } from './journal-table.ts';
import { findRun, insertRun, listRuns, newestUnfinished, type RunEntry, readPlan, readRecord, writeRecord } from './run-table.ts';
import { type SessionLock, trySessionLock } from './session-lock.ts';

/** Locks a run for this process's life; null where another one holds it. */
export function tryRunLock(database: Database, run: string): Promise<SessionLock | null> {
  return trySessionLock(database, 'run', `run ${run}`);
}

async function takeLock(database: Database, { runId, number }: RunEntry): Promise<SessionLock> {
  const lock = await tryRunLock(database, number);
  if (lock === null) {
    const [row] = await database.query<{ holder: string | null }>('select holder from slmbench.runs where number = $1', [number]);
    throw new ToolError('locked', `run ${runId} is in use by ${row?.holder ?? 'another process'}`, {
      hint: 'wait for it or end it, then run the same command again; --fresh starts another run',
    });
  }
  try {
    await database.query('update slmbench.runs set holder = $2 where number = $1', [number, `process ${process.pid} on ${hostname()}`]);
  } catch (error) {
    await lock.release();
    throw error;
  }
  return lock;
}

/** A writer over a run that somebody else keeps to themselves. */
export function openRunWriter(database: Database, { runId, number }: RunEntry, plan: RunPlan, onClose: () => Promise<void>): RunWriter {
  const placeOf = rowPlaces(plan);
  let events: Promise<unknown> = Promise.resolve();
  let closed = false;
  return {
    runId,
    append: async (rows) => insertJournalRows(database.query, number, rows, placeOf),
    event: (event) => {
      if (event.kind === 'sample-finished') return;
      events = events
        .then(() => database.query('insert into slmbench.events (run, event) values ($1, $2)', [number, JSON.stringify(event)]))
        .catch(() => undefined);
    },
    rows: () => journalRows(database, number),
    writeRecord: async (record) => writeRecord(database, number, record),
    writeArtifact: async (name, content) => writeArtifact(database, number, name, content),
    readArtifact: async (name) => readArtifactText(database, number, name),
    digestArtifact: async (name) => artifactDigest(database, number, name),
    close: async () => {
      if (closed) return;
      closed = true;
      await events;
      await onClose();
    },
  };
}

export function openPostgresRunStore(database: Database): RunStore {
  async function open(plan: RunPlan, { fresh }: { readonly fresh: boolean }): ReturnType<RunStore['open']> {
    const unfinished = fresh ? null : await newestUnfinished(database.query, plan.digest);
    const entry = unfinished ?? (await database.transaction((query) => insertRun(query, plan)));
    const lock = await takeLock(database, entry);
    const [row] = await database.query<{ status: string }>('select status from slmbench.runs where number = $1', [entry.number]);
    if (row?.status === 'complete') {
      // Its holder finished it between the look at its status and the lock.
      await lock.release();
      return open(plan, { fresh });
    }
    return { writer: openRunWriter(database, entry, plan, lock.release), resumed: unfinished !== null };
  }
  return {
    open,
    list: () => listRuns(database),
    readPlan: async (runId) => readPlan(database, await findRun(database, runId)),
    readRecord: async (runId) => readRecord(database, await findRun(database, runId)),
    readRows: async function* (runId) {
      yield* journalRows(database, (await findRun(database, runId)).number);
    },
    readArtifact: async (runId, name) => readArtifactText(database, (await findRun(database, runId)).number, name),
    digestArtifact: async (runId, name) => artifactDigest(database, (await findRun(database, runId)).number, name),
  };
}
