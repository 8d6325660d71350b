// `slmbench merge`: the shards of one plan become one run, with the record that a single run would have given.
import { join } from 'node:path';
import { messageOf } from '../../core/errors.ts';
import type { RunWriter } from '../../core/ports/run-store.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import type { RunRecord } from '../../core/record.ts';
import { finishRun } from '../../runner/finish-run.ts';
import { mergedRows, planOfShards } from '../../runner/merge-shards.ts';
import { factsFile, type RunFacts } from '../../runner/run-facts.ts';
import { loadFileRunStore } from '../../store/registry.ts';
import { createScorerWith } from '../create-scorer.ts';
import type { Workspace } from '../workspace.ts';
import { writeRunReports } from '../write-run-reports.ts';
import { openShard } from './open-shard.ts';

const batchRows = 256;

export interface MergedRun {
  readonly record: RunRecord;
  readonly folder: string;
  readonly shards: number;
}

async function appendAll(writer: RunWriter, rows: AsyncIterable<PredictionRow>): Promise<void> {
  let batch: PredictionRow[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < batchRows) continue;
    await writer.append(batch);
    batch = [];
  }
  await writer.append(batch);
}

/**
 * Merges finished shards into a new run of the workspace.
 * @throws ToolError `usage`, `data` or `integrity` when the shards are not exactly the parts of one plan, each complete
 */
export async function mergeShards(references: readonly string[], workspace: Workspace): Promise<MergedRun> {
  const shards = await Promise.all(references.map((reference) => openShard(reference, workspace)));
  const plan = planOfShards(shards);
  const rows = mergedRows(shards);
  // Completeness is proven before a run folder is made.
  const first = await rows.next();
  const store = await loadFileRunStore(workspace.runsFolder);
  const { writer } = await store.open(plan, { fresh: true });
  try {
    await appendAll(writer, chain(first, rows));
    const sessions = shards.flatMap((shard) => shard.facts.sessions).toSorted((left, right) => (left.startedAt < right.startedAt ? -1 : 1));
    const facts: RunFacts = { schema: 'slmbench/run-facts/1', runId: writer.runId, sessions };
    await writer.writeArtifact(factsFile, `${JSON.stringify(facts, null, 1)}\n`);
    const record = await finishRun({ plan, writer, facts, createScorer: createScorerWith(workspace.userMetrics) });
    const folder = join(workspace.runsFolder, writer.runId);
    await writeRunReports(record, writer, { folder, userMetrics: workspace.userMetrics });
    return { record, folder, shards: shards.length };
  } finally {
    await writer.close().catch((error: unknown) => process.emitWarning(messageOf(error)));
  }
}

async function* chain(first: IteratorResult<PredictionRow>, rest: AsyncGenerator<PredictionRow>): AsyncGenerator<PredictionRow> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}
