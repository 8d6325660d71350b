// Jobs on pg-boss: one queue for each model, so that a worker keeps the model it has loaded; dead letters in a queue of their own.
import type { Database } from './database.ts';
import { startQueueEngine } from './queue-engine.ts';

export interface WorkQueueOptions {
  /** Watch over lost jobs and clean up. @default true */
  readonly supervise?: boolean | undefined;
  /** Seconds without a sign of life after which pg-boss gives a job to another worker; at least 10. @default 60 */
  readonly heartbeatSeconds?: number | undefined;
  /** Tries before a job is dead. @default 12 */
  readonly retryLimit?: number | undefined;
  /** First pause before a job is tried again, doubled each time up to a minute, s. @default 1 */
  readonly retryDelaySeconds?: number | undefined;
  /** Longest pause, s. @default 60 */
  readonly longestRetryDelaySeconds?: number | undefined;
  readonly onWarning?: ((message: string) => void) | undefined;
}

export interface WorkJob {
  readonly id: string;
  readonly data: { readonly run: string; readonly chunk: number };
  readonly priority: number;
}

export interface Claim {
  readonly queue: string;
  readonly job: string;
  readonly attempt: number;
  readonly run: string;
  readonly chunk: number;
}

export interface WorkQueue {
  readonly ensureQueue: (queue: string) => Promise<void>;
  /** Adds jobs inside the caller's transaction; jobs that are there already stay as they are. */
  readonly add: (queue: string, jobs: readonly WorkJob[], query: Database['query']) => Promise<void>;
  readonly claim: (queue: string) => Promise<Claim | null>;
  /** Both concern this attempt only: a job that was given to another worker since is left alone. */
  readonly complete: (claim: Claim) => Promise<void>;
  readonly fail: (claim: Claim, reason: string) => Promise<void>;
  readonly touch: (claim: Claim) => Promise<void>;
  readonly cancel: (queue: string, jobs: readonly string[]) => Promise<void>;
  /** Jobs that used up their tries, each once. */
  readonly takeDead: () => Promise<readonly { readonly run: string; readonly chunk: number }[]>;
  readonly stop: () => Promise<void>;
}

const deadQueue = 'dead';
const longestHoldSeconds = 6 * 3600;
const keepSeconds = 30 * 24 * 3600;

type JobData = WorkJob['data'];

/** Creates or updates the queue's own tables, and starts watching. */
export async function openWorkQueue(database: Database, options: WorkQueueOptions = {}): Promise<WorkQueue> {
  const boss = await startQueueEngine(database, { supervise: options.supervise ?? true, schedule: false, onWarning: options.onWarning });
  const known = new Set<string>();
  async function ensureQueue(queue: string): Promise<void> {
    if (known.has(queue)) return;
    if (queue !== deadQueue) await ensureQueue(deadQueue);
    await boss.createQueue(queue, {
      retryLimit: options.retryLimit ?? 12,
      retryDelay: options.retryDelaySeconds ?? 1,
      retryBackoff: true,
      retryDelayMax: options.longestRetryDelaySeconds ?? 60,
      heartbeatSeconds: options.heartbeatSeconds ?? 60,
      expireInSeconds: longestHoldSeconds,
      retentionSeconds: keepSeconds,
      ...(queue === deadQueue ? {} : { deadLetter: deadQueue }),
    });
    known.add(queue);
  }
  await ensureQueue(deadQueue);
  const attemptOf = ({ job, attempt }: Claim) => ({ id: job, retryCount: attempt });
  return {
    ensureQueue,
    add: async (queue, jobs, query) => {
      const db = { executeSql: async (text: string, values?: unknown[]) => ({ rows: await query(text, values ?? []) }) };
      await boss.insert(
        queue,
        jobs.map(({ id, data, priority }) => ({ id, data, priority })),
        { db },
      );
    },
    claim: async (queue) => {
      await ensureQueue(queue);
      const [job] = await boss.fetch<JobData>(queue);
      return job === undefined ? null : { queue, job: job.id, attempt: job.retryCount, ...job.data };
    },
    complete: async (claim) => {
      await boss.complete(claim.queue, attemptOf(claim));
    },
    fail: async (claim, reason) => {
      await boss.fail(claim.queue, attemptOf(claim), { message: reason.slice(0, 2000) });
    },
    touch: async (claim) => {
      await boss.touch(claim.queue, attemptOf(claim));
    },
    cancel: async (queue, jobs) => {
      if (jobs.length > 0) await boss.cancel(queue, [...jobs]);
    },
    takeDead: async () => {
      const jobs = await boss.fetch<JobData>(deadQueue, { batchSize: 100 });
      if (jobs.length > 0)
        await boss.complete(
          deadQueue,
          jobs.map((job) => job.id),
        );
      return jobs.map((job) => job.data);
    },
    stop: async () => {
      await boss.stop({ graceful: false, close: false });
    },
  };
}
