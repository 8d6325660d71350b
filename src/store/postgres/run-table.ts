// Runs in the database: made, found, described.
import { messageOf, ToolError } from '../../core/errors.ts';
import { suggestName } from '../../core/names.ts';
import { type RunPlan, runPlanSchema } from '../../core/plan.ts';
import type { RunSummary } from '../../core/ports/run-store.ts';
import { type RunRecord, runRecordSchema } from '../../core/record.ts';
import { newRunId } from '../shared/run-id.ts';
import type { Database } from './database.ts';

export interface RunEntry {
  readonly runId: string;
  /** Key of the run in the other tables (bigint as text). */
  readonly number: string;
}

/** The same text as the file `plan.json` of a run folder. */
export function planText(plan: RunPlan): string {
  return `${JSON.stringify(plan, null, 1)}\n`;
}

export async function insertRun(query: Database['query'], plan: RunPlan): Promise<RunEntry> {
  const runId = newRunId(plan.digest, new Date());
  const [row] = await query<{ number: string }>(
    `insert into slmbench.runs (id, plan_digest, plan, models, tasks, status) values ($1, $2, $3, $4, $5, 'unfinished') returning number`,
    [runId, plan.digest, planText(plan), plan.models.map((model) => model.key), plan.tasks.map((task) => task.key)],
  );
  return { runId, number: row!.number };
}

/** The newest run of a plan that is not complete: failed and partial ones are tried again. */
export async function newestUnfinished(query: Database['query'], planDigest: string): Promise<RunEntry | null> {
  const [row] = await query<{ id: string; number: string }>(
    `select id, number from slmbench.runs where plan_digest = $1 and status <> 'complete' order by number desc limit 1`,
    [planDigest],
  );
  return row === undefined ? null : { runId: row.id, number: row.number };
}

/** @throws ToolError `usage` for what is no id, `not-found` with the nearest known id */
export async function findRun(database: Database, runId: string): Promise<RunEntry> {
  if (!/^[\w.-]+$/.test(runId) || /^\.+$/.test(runId)) {
    throw new ToolError('usage', `"${runId}" is not a run id`, { hint: 'slmbench status shows them' });
  }
  const [row] = await database.query<{ number: string }>('select number from slmbench.runs where id = $1', [runId]);
  if (row !== undefined) return { runId, number: row.number };
  const known = await database.query<{ id: string }>('select id from slmbench.runs order by number desc limit 1000');
  throw new ToolError('not-found', `unknown run "${runId}" in ${database.shown}`, {
    hint: suggestName(
      runId,
      known.map(({ id }) => id),
    ),
  });
}

type SummaryRow = {
  readonly id: string;
  readonly created: Date;
  readonly status: RunSummary['status'];
  readonly plan_digest: string;
  readonly models: string[];
  readonly tasks: string[];
};

/** Newest first. */
export async function listRuns(database: Database): Promise<RunSummary[]> {
  const rows = await database.query<SummaryRow>(
    'select id, created, status, plan_digest, models, tasks from slmbench.runs order by number desc',
  );
  return rows.map((row) => ({
    runId: row.id,
    location: database.shown,
    created: row.created.toISOString(),
    status: row.status,
    planDigest: row.plan_digest,
    models: row.models,
    tasks: row.tasks,
  }));
}

export async function readPlan(database: Database, { runId, number }: RunEntry): Promise<RunPlan> {
  const [row] = await database.query<{ plan: string }>('select plan from slmbench.runs where number = $1', [number]);
  return parseDocument(row?.plan, runPlanSchema.parse, `the plan of run ${runId}`);
}

/** The plan as it was written: the text whose digest the record carries. */
export async function readPlanText(database: Database, run: string): Promise<string> {
  const [row] = await database.query<{ plan: string }>('select plan from slmbench.runs where number = $1', [run]);
  return row!.plan;
}

export async function readRecord(database: Database, { runId, number }: RunEntry): Promise<RunRecord> {
  const [row] = await database.query<{ record: string | null }>('select record from slmbench.runs where number = $1', [number]);
  if (row?.record == null) {
    throw new ToolError('not-found', `run ${runId} has no record yet`, { hint: 'slmbench status shows how far it is' });
  }
  return parseDocument(row.record, runRecordSchema.parse, `the record of run ${runId}`);
}

export async function writeRecord(database: Database, run: string, record: RunRecord): Promise<void> {
  const checked = runRecordSchema.safeParse(record);
  if (!checked.success) throw new ToolError('internal', `the record does not match its schema: ${checked.error.message}`);
  await database.query('update slmbench.runs set record = $2, status = $3 where number = $1', [
    run,
    `${JSON.stringify(record, null, 2)}\n`,
    record.status,
  ]);
}

function parseDocument<T>(text: string | undefined, check: (value: unknown) => T, what: string): T {
  try {
    return check(JSON.parse(text ?? ''));
  } catch (cause) {
    throw new ToolError('integrity', `${what} is damaged: ${messageOf(cause)}`, { cause });
  }
}
