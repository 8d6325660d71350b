// Ends a session: writes predictions in plan order, builds the record and stores it.
import type { RunPlan } from '../core/plan.ts';
import type { RunWriter } from '../core/ports/run-store.ts';
import type { RunRecord } from '../core/record.ts';
import { openRecordBuilder, type RecordBuilder } from './build-record.ts';
import { orderedRows, type SlotRow, scanJournal } from './ordered-rows.ts';
import { factsFile, type RunFacts } from './run-facts.ts';
import { runSlots } from './run-slots.ts';
import type { CreateScorer } from './scoring.ts';

export const predictionsFile = 'predictions.jsonl';

/** Artifacts whose digests a record carries. */
export const digestedArtifacts = ['plan.json', 'journal.jsonl', factsFile, predictionsFile] as const;

export interface FinishRunInput {
  readonly plan: RunPlan;
  readonly writer: RunWriter;
  readonly facts: RunFacts;
  readonly createScorer: CreateScorer;
  readonly name?: string | undefined;
}

/** The stored record; a partial run gets one as well. */
export async function finishRun({ plan, writer, facts, createScorer, name }: FinishRunInput): Promise<RunRecord> {
  const slots = runSlots(plan);
  const scan = await scanJournal(slots, writer.rows());
  const builder = openRecordBuilder({ plan, facts, createScorer, name }, slots);
  // One pass serves both: the builder sees each row as its line is written.
  await writer.writeArtifact(predictionsFile, predictionLines(orderedRows({ slots, scan, rows: writer.rows }), builder));
  const artifacts: Record<string, string> = {};
  for (const file of digestedArtifacts) {
    const digest = await writer.digestArtifact(file);
    if (digest !== null) artifacts[file] = digest;
  }
  const record = builder.finish(artifacts);
  await writer.writeRecord(record);
  return record;
}

async function* predictionLines(entries: AsyncIterable<SlotRow>, builder: RecordBuilder): AsyncGenerator<string> {
  for await (const entry of entries) {
    builder.add(entry);
    yield `${JSON.stringify(entry.row)}\n`;
  }
}
