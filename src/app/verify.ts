// Recomputes every number of a run from its journal.
import type { RecordDifference } from '../runner/verify-run.ts';
import { verifyRun } from '../runner/verify-run.ts';
import { createScorerWith } from './create-scorer.ts';
import { digestArtifactOf, openRun, readFactsOf, readPlanOf, readPredictions } from './open-run.ts';
import type { Workspace } from './workspace.ts';

export interface Verification {
  readonly id: string;
  readonly differences: readonly RecordDifference[];
  readonly results: number;
}

export async function verify(reference: string, workspace: Workspace): Promise<Verification> {
  const run = await openRun(reference, workspace);
  const differences = await verifyRun({
    plan: await readPlanOf(run),
    record: run.record,
    facts: await readFactsOf(run),
    rows: () => readPredictions(run),
    createScorer: createScorerWith(workspace.userMetrics),
    digestArtifact: (name) => digestArtifactOf(run, name),
  });
  return { id: run.id, differences, results: run.record.results.length };
}
