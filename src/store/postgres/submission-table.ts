// Submissions: runs that workers share, from submit to record.
import type { Database } from './database.ts';

export type SubmissionState = 'open' | 'cancelled' | 'finished';

/** Opens a submission; false where one of the same plan is open already. */
export async function openSubmission(
  query: Database['query'],
  facts: { readonly run: string; readonly planDigest: string; readonly submission: string; readonly priority: number },
): Promise<boolean> {
  const rows = await query(
    `insert into slmbench.submissions (run, plan_digest, submission, priority, state) values ($1, $2, $3, $4, 'open')
     on conflict (run) do update set submission = excluded.submission, priority = excluded.priority, state = 'open', ended = null,
       submitted = clock_timestamp() where submissions.state <> 'open' returning run`,
    [facts.run, facts.planDigest, facts.submission, facts.priority],
  );
  return rows.length > 0;
}

export async function findOpenSubmission(
  query: Database['query'],
  planDigest: string,
): Promise<{ readonly run: string; readonly runId: string } | null> {
  const [row] = await query<{ run: string; runId: string }>(
    `select s.run::text as run, r.id as "runId" from slmbench.submissions s join slmbench.runs r on r.number = s.run
     where s.plan_digest = $1 and s.state = 'open'`,
    [planDigest],
  );
  return row ?? null;
}

export async function readSubmission(
  database: Database,
  run: string,
): Promise<{ readonly submission: string; readonly state: SubmissionState; readonly isEnded: boolean } | null> {
  const [row] = await database.query<{ submission: string; state: SubmissionState; isEnded: boolean }>(
    `select submission, state, ended is not null as "isEnded" from slmbench.submissions where run = $1`,
    [run],
  );
  return row ?? null;
}

/** Cancels an open submission; false where it is over already. */
export async function cancelSubmission(query: Database['query'], run: string): Promise<boolean> {
  const rows = await query(`update slmbench.submissions set state = 'cancelled' where run = $1 and state = 'open' returning run`, [run]);
  return rows.length > 0;
}

/** Runs whose work is over and whose record is not written yet. */
export async function settledRuns(database: Database): Promise<readonly { readonly run: string; readonly runId: string }[]> {
  return database.query(
    `select s.run::text as run, r.id as "runId" from slmbench.submissions s join slmbench.runs r on r.number = s.run
     where s.ended is null and not exists (
       select from slmbench.chunks c where c.run = s.run and (c.state = 'active' or (c.state = 'waiting' and s.state = 'open'))
     )`,
  );
}

export async function endSubmission(database: Database, run: string): Promise<void> {
  await database.query(
    `update slmbench.submissions set ended = clock_timestamp(), state = case state when 'open' then 'finished' else state end where run = $1`,
    [run],
  );
}

/** Facts of every worker that worked on a run, in the order in which the database first heard of them. */
export async function readSessions(database: Database, run: string): Promise<readonly string[]> {
  const rows = await database.query<{ session: string }>('select session from slmbench.sessions where run = $1 order by began, worker', [
    run,
  ]);
  return rows.map(({ session }) => session);
}

export interface SubmissionStatus {
  readonly runId: string;
  readonly state: SubmissionState;
  readonly recordStatus: string;
  readonly priority: number;
  readonly submitted: string;
  readonly ended: string | null;
  readonly samples: number;
  readonly doneSamples: number;
  readonly chunks: Readonly<Record<'waiting' | 'active' | 'done' | 'dead', number>>;
  /** Distinct reasons of chunks that were given back or are dead. */
  readonly reasons: readonly string[];
  readonly workers: readonly string[];
}

type StatusRow = Omit<SubmissionStatus, 'chunks' | 'submitted' | 'ended'> & {
  readonly submitted: Date;
  readonly ended: Date | null;
  readonly waiting: number;
  readonly active: number;
  readonly done: number;
  readonly dead: number;
};

/** Newest first; all submissions, or one run. */
export async function submissionStatus(database: Database, run: string | null): Promise<SubmissionStatus[]> {
  const rows = await database.query<StatusRow>(
    `select r.id as "runId", s.state, r.status as "recordStatus", s.priority, s.submitted, s.ended,
       coalesce(sum(c.samples), 0)::int as samples,
       coalesce(sum(c.samples) filter (where c.state = 'done'), 0)::int as "doneSamples",
       count(*) filter (where c.state = 'waiting')::int as waiting,
       count(*) filter (where c.state = 'active')::int as active,
       count(*) filter (where c.state = 'done')::int as done,
       count(*) filter (where c.state = 'dead')::int as dead,
       coalesce(array_agg(distinct c.reason) filter (where c.reason is not null and c.state <> 'done'), '{}') as reasons,
       coalesce(array_agg(distinct c.worker) filter (where c.state = 'active'), '{}') as workers
     from slmbench.submissions s join slmbench.runs r on r.number = s.run left join slmbench.chunks c on c.run = s.run
     where $1::bigint is null or s.run = $1 group by r.number, r.id, s.run, r.status order by r.number desc limit 200`,
    [run],
  );
  return rows.map(({ waiting, active, done, dead, ...row }) => ({
    ...row,
    submitted: row.submitted.toISOString(),
    ended: row.ended?.toISOString() ?? null,
    chunks: { waiting, active, done, dead },
  }));
}
