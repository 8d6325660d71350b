// When the last chunk is settled, any worker writes the record, the artifacts and the report, as a local run would.
import { messageOf } from '../../core/errors.ts';
import type { RunRecord } from '../../core/record.ts';
import { finishRun } from '../../runner/finish-run.ts';
import type { SessionOrigin } from '../../runner/run-facts.ts';
import { factsFile, type RunFacts, type RunSession, runSessionSchema } from '../../runner/run-facts.ts';
import { isPassing } from '../../store/postgres/database-error.ts';
import { openRunWriter, tryRunLock } from '../../store/postgres/postgres-run-store.ts';
import type { SharedStore } from '../../store/postgres/shared-store.ts';
import { endSubmission, readSessions, readSubmission } from '../../store/postgres/submission-table.ts';
import { createScorerWith } from '../create-scorer.ts';
import { writeRunReports } from '../write-run-reports.ts';
import type { SharedRun } from './shared-run.ts';

/** A run that was cancelled before any chunk was done still says who closed it. */
function emptySession(origin: SessionOrigin): RunSession {
  const now = new Date().toISOString();
  return { ...origin, startedAt: now, finishedAt: now, durationMs: 0, interrupted: true, modelRuns: [], tasks: [], warmups: [], notes: [] };
}

/** Clocks of machines differ: the record's times may not run backwards for that. */
function inOrder(sessions: readonly RunSession[]): RunSession[] {
  const latest = sessions
    .map((session) => session.finishedAt)
    .toSorted()
    .at(-1)!;
  const ordered = sessions.toSorted((a, b) => (a.startedAt < b.startedAt ? -1 : 1));
  return ordered.map((session, index) => (index === ordered.length - 1 ? { ...session, finishedAt: latest } : session));
}

export interface FinishedRun {
  readonly record: RunRecord;
  /** Why there is no report, or null: a page that cannot be rendered here must not keep a run open for ever. */
  readonly reportFailure: string | null;
}

/** @returns null where another worker writes the record or has written it */
export async function finishSharedRun(store: SharedStore, shared: SharedRun, origin: SessionOrigin): Promise<FinishedRun | null> {
  const { database } = store;
  const { plan, run, runId } = shared;
  const lock = await tryRunLock(database, run);
  if (lock === null) return null;
  try {
    const found = await readSubmission(database, run);
    if (found === null || found.isEnded) return null;
    const sessions = (await readSessions(database, run)).map((text) => runSessionSchema.parse(JSON.parse(text)));
    const notes = found.state === 'cancelled' ? ['cancelled before its end'] : [];
    const command = shared.submission.command;
    const known = inOrder(sessions.length === 0 ? [emptySession(origin)] : sessions).map((session) => ({
      ...session,
      command,
      notes: [...session.notes, ...notes],
    }));
    const writer = openRunWriter(database, { runId, number: run }, plan, async () => undefined);
    const facts: RunFacts = { schema: 'slmbench/run-facts/1', runId, sessions: known };
    await writer.writeArtifact(factsFile, `${JSON.stringify(facts, null, 1)}\n`);
    const userMetrics = await shared.userMetrics();
    const createScorer = createScorerWith(userMetrics);
    const record = await finishRun({ plan, writer, facts, createScorer, name: shared.submission.name ?? undefined });
    const reportFailure = await writeRunReports(record, writer, { folder: null, userMetrics }).then(
      () => null,
      (error: unknown) => {
        if (isPassing(error)) throw error;
        return messageOf(error);
      },
    );
    await endSubmission(database, run);
    await writer.close();
    return { record, reportFailure };
  } finally {
    await lock.release();
  }
}
