// Hands finished rows to the store at once, in batches when several finish together, and slows the run when the disk cannot follow.
import type { PredictionRow } from '../core/prediction.ts';

/** Rows that may wait for their fsync before new samples wait too. */
const maxWaitingRows = 1024;

export interface JournalQueue {
  /** Returns a promise only when the caller should wait before it makes more rows. */
  readonly push: (row: PredictionRow) => Promise<void> | undefined;
  /** Resolves when all pushed rows are durable; rejects with the store's first failure. */
  readonly drain: () => Promise<void>;
  /** Calls back once, on the first failed append. */
  readonly onFailure: (listener: (error: unknown) => void) => void;
}

export function openJournalQueue(append: (rows: readonly PredictionRow[]) => Promise<void>): JournalQueue {
  let buffer: PredictionRow[] = [];
  let isScheduled = false;
  let waitingRows = 0;
  let latest: Promise<void> = Promise.resolve();
  let failure: { readonly error: unknown } | null = null;
  let notify: (error: unknown) => void = () => undefined;

  function fail(error: unknown): void {
    if (failure !== null) return;
    failure = { error };
    notify(error);
  }
  function flush(): void {
    isScheduled = false;
    if (buffer.length === 0 || failure !== null) return;
    const rows = buffer;
    // Only the number is kept until the fsync: the rows themselves may go.
    const { length } = buffer;
    buffer = [];
    waitingRows += length;
    const written = append(rows)
      .catch(fail)
      .then(() => {
        waitingRows -= length;
      });
    const before = latest;
    latest = written.then(() => before);
  }
  return {
    push: (row) => {
      buffer.push(row);
      if (!isScheduled) {
        isScheduled = true;
        queueMicrotask(flush);
      }
      return waitingRows > maxWaitingRows ? latest : undefined;
    },
    drain: async () => {
      flush();
      await latest;
      if (failure !== null) throw failure.error;
    },
    onFailure: (listener) => {
      notify = listener;
    },
  };
}
