// `slmbench status`, `cancel` and `logs`: what the shared store says of runs and workers.
import { setTimeout as sleep } from 'node:timers/promises';
import { type EventLine, readEvents } from '../../store/postgres/event-table.ts';
import { findRun } from '../../store/postgres/run-table.ts';
import type { SharedStore } from '../../store/postgres/shared-store.ts';
import { cancelSubmission, type SubmissionStatus, submissionStatus } from '../../store/postgres/submission-table.ts';
import { openWorkQueue } from '../../store/postgres/work-queue.ts';
import { listWorkers, type WorkerEntry } from '../../store/postgres/worker-table.ts';

export interface SharedStatus {
  readonly database: string;
  readonly runs: readonly SubmissionStatus[];
  readonly workers: readonly (WorkerEntry & { readonly silentSeconds: number })[];
}

/** @param runId - one run, or undefined for all */
export async function readStatus(store: SharedStore, runId?: string): Promise<SharedStatus> {
  const run = runId === undefined ? null : (await findRun(store.database, runId)).number;
  return { database: store.database.shown, runs: await submissionStatus(store.database, run), workers: await listWorkers(store.database) };
}

/** Takes back all waiting work of a run; workers drop theirs at their next sign of life. False where it is over already. */
export async function cancelRun(store: SharedStore, runId: string): Promise<boolean> {
  const { number } = await findRun(store.database, runId);
  if (!(await cancelSubmission(store.database.query, number))) return false;
  const waiting = await store.database.query<{ queue: string; job: string }>(
    `select queue, job from slmbench.chunks where run = $1 and state = 'waiting'`,
    [number],
  );
  const queue = await openWorkQueue(store.database, { supervise: false });
  try {
    for (const [name, jobs] of Map.groupBy(waiting, (row) => row.queue)) {
      await queue.cancel(
        name,
        jobs.map(({ job }) => job),
      );
    }
  } finally {
    await queue.stop();
  }
  return true;
}

const pageLines = 500;
const followEveryMs = 500;

/** Log lines of a run, oldest first; with `follow` until the signal is aborted. */
export async function* readLogs(store: SharedStore, runId: string, follow: boolean, signal?: AbortSignal): AsyncGenerator<EventLine> {
  const { number } = await findRun(store.database, runId);
  let after = '0';
  for (;;) {
    const page = await readEvents(store.database, number, after, pageLines);
    yield* page;
    after = page.at(-1)?.id ?? after;
    if (page.length === pageLines) continue;
    if (!follow || signal?.aborted === true) return;
    await sleep(followEveryMs, undefined, { signal }).catch(() => undefined);
  }
}
