// The parts of shared runs: what waits, who works on it, what is done. Times are the database's own, so clocks of workers may differ.
import type { Database } from './database.ts';
import type { JournalRange } from './journal-table.ts';
import type { Claim } from './work-queue.ts';

export interface Chunk {
  readonly chunk: number;
  readonly queue: string;
  readonly job: string;
  /** Places in the plan's lists. */
  readonly model: number;
  readonly task: number;
  /** Samples from `first` to before `past` of the task, every repeat of them. */
  readonly first: number;
  readonly past: number;
  /** Rows: samples times repeats. */
  readonly samples: number;
}

export type ClaimedChunk = Chunk & { readonly run: string; readonly runId: string; readonly errorTries: number };

export async function insertChunks(query: Database['query'], run: string, chunks: readonly Chunk[]): Promise<void> {
  await query(
    `insert into slmbench.chunks (run, chunk, queue, job, model, task, first, past, samples)
     select $1::bigint, * from unnest($2::int[], $3::text[], $4::uuid[], $5::smallint[], $6::smallint[], $7::int[], $8::int[], $9::int[])`,
    [
      run,
      chunks.map(({ chunk }) => chunk),
      chunks.map(({ queue }) => queue),
      chunks.map(({ job }) => job),
      chunks.map(({ model }) => model),
      chunks.map(({ task }) => task),
      chunks.map(({ first }) => first),
      chunks.map(({ past }) => past),
      chunks.map(({ samples }) => samples),
    ],
  );
}

/** Rows of a stretch that count as done. Its repeats are named one by one: the key is then searched, not read from end to end. */
export async function countScoredRows(query: Database['query'], run: string, range: JournalRange): Promise<number> {
  const [row] = await query<{ n: string }>(
    `select count(*) as n from slmbench.predictions
     where run = $1 and model = $2 and task = $3 and repeat = any($4::smallint[]) and position >= $5 and position < $6 and not is_error`,
    [run, range.model, range.task, repeatsOf(range), range.first, range.past],
  );
  return Number(row!.n);
}

/** Rows of a stretch that are kept, and those among them that another try may heal: a prompt stays too long however often it is sent. */
export async function countChunkRows(
  database: Database,
  run: string,
  range: JournalRange,
): Promise<{ readonly kept: number; readonly errors: number }> {
  const [row] = await database.query<{ kept: number; errors: number }>(
    `select count(*)::int as kept,
       (count(*) filter (where is_error and row::json -> 'outcome' ->> 'class' <> 'context-overflow'))::int as errors
     from slmbench.predictions
     where run = $1 and model = $2 and task = $3 and repeat = any($4::smallint[]) and position >= $5 and position < $6`,
    [run, range.model, range.task, repeatsOf(range), range.first, range.past],
  );
  return row!;
}

function repeatsOf({ repeats }: JournalRange): number[] {
  return Array.from({ length: repeats }, (_, repeat) => repeat);
}

/** A model that waits for workers, with one open run of it. */
export interface OpenQueue {
  readonly queue: string;
  readonly run: string;
  readonly runId: string;
  /** Place in the plan of that run. */
  readonly model: number;
  readonly priority: number;
  /** Chunks of the run in this queue that are worked on now. */
  readonly active: number;
}

export async function openQueues(database: Database): Promise<readonly OpenQueue[]> {
  return database.query(
    `select distinct on (c.queue) c.queue, c.run::text as run, r.id as "runId", c.model, s.priority, c.active
     from slmbench.submissions s
     join slmbench.runs r on r.number = s.run
     join lateral (
       select queue, run, model, (count(*) filter (where state = 'active'))::int as active from slmbench.chunks
       where run = s.run and state in ('waiting', 'active') group by queue, run, model having bool_or(state = 'waiting')
     ) c on true
     where s.state = 'open'
     order by c.queue, s.priority desc`,
  );
}

/** Takes a chunk for a worker; null where it needs no work any more (done, dead, or its run is over). */
export async function startChunk(database: Database, claim: Claim, worker: string): Promise<ClaimedChunk | null> {
  const [row] = await database.query<ClaimedChunk>(
    `update slmbench.chunks c set state = 'active', worker = $2, attempt = $3
     from slmbench.submissions s, slmbench.runs r
     where c.job = $1 and s.run = c.run and r.number = c.run and s.state = 'open' and c.state in ('waiting', 'active')
     returning c.run::text as run, r.id as "runId", c.chunk, c.queue, c.job, c.model, c.task, c.first, c.past, c.samples, c.error_tries as "errorTries"`,
    [claim.job, worker, claim.attempt],
  );
  return row ?? null;
}

/** All rows of the chunk are kept: a late worker may say so as well, it is true whoever says it. */
export async function endChunk(database: Database, job: string, run: string, worker: string, session: string | null): Promise<void> {
  await database.transaction(async (query) => {
    await query(`update slmbench.chunks set state = 'done', worker = $2, reason = null where job = $1`, [job, worker]);
    if (session !== null) {
      await query(
        `insert into slmbench.sessions (run, worker, session) values ($1, $2, $3) on conflict (run, worker) do update set session = excluded.session`,
        [run, worker, session],
      );
    }
  });
}

/** Gives a chunk back; only the worker that holds it may. */
export async function returnChunk(database: Database, job: string, worker: string, reason: string, wasErrors: boolean): Promise<void> {
  await database.query(
    `update slmbench.chunks set state = 'waiting', worker = null, reason = $3, error_tries = error_tries + $4::int
     where job = $1 and worker = $2 and state = 'active'`,
    [job, worker, reason.slice(0, 2000), wasErrors ? 1 : 0],
  );
}

export async function buryChunk(database: Database, run: string, chunk: number): Promise<void> {
  await database.query(
    `update slmbench.chunks set state = 'dead', worker = null where run = $1 and chunk = $2 and state in ('waiting', 'active')`,
    [run, chunk],
  );
}

/** Chunks of workers that have not been seen for so long, taken from them. */
export async function takeLostChunks(database: Database, lostAfterSeconds: number): Promise<readonly Claim[]> {
  const rows = await database.query<{ queue: string; job: string; attempt: number; run: string; chunk: number }>(
    `update slmbench.chunks c set state = 'waiting', worker = null, reason = 'its worker was lost: ' || c.worker
     where c.state = 'active' and not exists (
       select from slmbench.workers w where w.id = c.worker and w.seen > clock_timestamp() - make_interval(secs => $1)
     ) returning c.queue, c.job, c.attempt, c.run::text as run, c.chunk`,
    [lostAfterSeconds],
  );
  return rows;
}
