// The tables of the shared store, in versions. Migrating twice, or by many processes at once, does no harm.
import { ToolError } from '../../core/errors.ts';
import type { Database } from './database.ts';

/** Statements of version n + 1 at index n. A published version is never changed: a change is a new version. */
export const migrations: readonly string[] = [
  `
create table slmbench.runs (
  id text primary key,
  number bigint generated always as identity unique,
  plan_digest text not null,
  plan text not null,
  models text[] not null,
  tasks text[] not null,
  status text not null check (status in ('unfinished', 'complete', 'partial', 'failed')),
  record text,
  holder text,
  created timestamptz not null default clock_timestamp()
);
create index runs_by_plan on slmbench.runs (plan_digest, number desc);
create table slmbench.predictions (
  run bigint not null references slmbench.runs (number) on delete cascade,
  model smallint not null,
  task smallint not null,
  repeat smallint not null,
  position integer not null,
  is_error boolean not null,
  row text not null,
  primary key (run, model, task, repeat, position)
);
create table slmbench.artifacts (
  run bigint not null references slmbench.runs (number) on delete cascade,
  name text not null,
  version bigint not null,
  part integer not null,
  content bytea not null,
  primary key (run, name, version, part)
);
create table slmbench.events (
  id bigint generated always as identity primary key,
  run bigint not null references slmbench.runs (number) on delete cascade,
  at timestamptz not null default clock_timestamp(),
  event text not null
);
create index events_by_run on slmbench.events (run, id);
`,
  `
create table slmbench.submissions (
  run bigint primary key references slmbench.runs (number) on delete cascade,
  plan_digest text not null,
  submission text not null,
  priority integer not null,
  state text not null check (state in ('open', 'cancelled', 'finished')),
  submitted timestamptz not null default clock_timestamp(),
  ended timestamptz
);
create unique index one_open_submission_of_a_plan on slmbench.submissions (plan_digest) where state = 'open';
create table slmbench.chunks (
  run bigint not null references slmbench.runs (number) on delete cascade,
  chunk integer not null,
  queue text not null,
  job uuid not null,
  model smallint not null,
  task smallint not null,
  first integer not null,
  past integer not null,
  samples integer not null,
  state text not null default 'waiting' check (state in ('waiting', 'active', 'done', 'dead')),
  worker text,
  attempt integer,
  error_tries integer not null default 0,
  reason text,
  primary key (run, chunk)
);
create unique index chunks_by_job on slmbench.chunks (job);
create index chunks_open on slmbench.chunks (run, queue) where state in ('waiting', 'active');
create table slmbench.workers (
  id text primary key,
  host text not null,
  pid integer not null,
  abilities text not null,
  doing text,
  started timestamptz not null default clock_timestamp(),
  seen timestamptz not null default clock_timestamp()
);
create table slmbench.sessions (
  run bigint not null references slmbench.runs (number) on delete cascade,
  worker text not null,
  began timestamptz not null default clock_timestamp(),
  session text not null,
  primary key (run, worker)
);
`,
  `
create table slmbench.watch_lines (
  id bigint generated always as identity primary key,
  watch text not null,
  at timestamptz not null default clock_timestamp(),
  line text not null
);
create index watch_lines_by_watch on slmbench.watch_lines (watch, id);
`,
];

/** Any fixed number: processes that migrate at the same time wait for each other on it. */
const migrationLock = 7_340_518_223;

/**
 * Brings the schema to `target` (the newest version).
 * @returns versions before and after
 * @throws ToolError `unsupported` when the database was made by a newer slmbench
 */
export async function migrate(
  database: Database,
  target: number = migrations.length,
): Promise<{ readonly before: number; readonly after: number }> {
  return database.transaction(async (query) => {
    await query('select pg_advisory_xact_lock($1)', [migrationLock]);
    await query('create schema if not exists slmbench');
    await query(
      'create table if not exists slmbench.schema_version (version integer primary key, applied timestamptz not null default clock_timestamp())',
    );
    const [row] = await query<{ version: number | null }>('select max(version) as version from slmbench.schema_version');
    const before = row?.version ?? 0;
    if (before > migrations.length) {
      throw new ToolError(
        'unsupported',
        `the database ${database.shown} has schema version ${before}; this slmbench knows versions up to ${migrations.length}`,
        { hint: 'update slmbench on this machine to the version that the others use' },
      );
    }
    for (let version = before + 1; version <= target; version++) {
      await query(migrations[version - 1]!);
      await query('insert into slmbench.schema_version (version) values ($1)', [version]);
    }
    return { before, after: Math.max(before, target) };
  });
}
