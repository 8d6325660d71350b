// Reads the facts file of a run.
import { ToolError } from '../core/errors.ts';
import { factsFile, type RunFacts, runFactsSchema } from './run-facts.ts';

/** Facts of a run's earlier sessions; empty for a new run. */
export async function readRunFacts(runId: string, readArtifact: (name: string) => Promise<string | null>): Promise<RunFacts> {
  const text = await readArtifact(factsFile);
  if (text === null) return { schema: 'slmbench/run-facts/1', runId, sessions: [] };
  try {
    return runFactsSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new ToolError('integrity', `${factsFile} of run ${runId} is damaged`, { cause, hint: 'start again with --fresh' });
  }
}
