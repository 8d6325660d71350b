// Recomputes every number of a run from its journal, or from the requests of a performance run.
import type { RunRecord } from '../core/record.ts';
import type { RecordDifference } from '../runner/verify-run.ts';
import { verifyRun } from '../runner/verify-run.ts';
import { createScorerWith } from './create-scorer.ts';
import { digestArtifactOf, openRun, readFactsOf, readPlanOf, readPredictions } from './open-run.ts';
import { verifyPerf } from './perf/verify-perf.ts';
import type { Workspace } from './workspace.ts';

export interface Verification {
  readonly id: string;
  readonly differences: readonly RecordDifference[];
  readonly results: number;
}

function loadPoints(performance: RunRecord['performance']): number {
  const subjects = (performance?.['subjects'] ?? []) as unknown as readonly { readonly points: readonly unknown[] }[];
  return subjects.reduce((sum, subject) => sum + subject.points.length, 0);
}

export async function verify(reference: string, workspace: Workspace): Promise<Verification> {
  const run = await openRun(reference, workspace);
  const { performance, quantisation } = run.record;
  if (performance !== undefined || quantisation !== undefined) {
    const plan = await readPlanOf(run);
    const digestArtifact = (name: string): Promise<string | null> => digestArtifactOf(run, name);
    const differences = await verifyPerf({ folder: run.folder!, plan, record: run.record, digestArtifact });
    return { id: run.id, differences, results: loadPoints(performance) };
  }
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
