// What is known and what was run. Each table loads only what it shows: no native library, no connection.
import { openWorkspace } from '../workspace.ts';
import type { Listing } from './listing.ts';

export interface ListOptions {
  readonly verbose: boolean;
  readonly output?: string | undefined;
}

/** All listings, or the one that was asked for. */
export async function listEverything(what: string | undefined, options: ListOptions): Promise<readonly Listing[]> {
  const workspace = await openWorkspace({ output: options.output, offline: true });
  const builders: Readonly<Record<string, () => Promise<Listing>>> = {
    models: async () => (await import('./list-models.ts')).listModels(workspace, options.verbose),
    datasets: async () => (await import('./list-datasets.ts')).listDatasetTable(options.verbose),
    tasks: async () => (await import('./list-tasks.ts')).listTaskTable(options.verbose),
    runs: async () => (await import('./list-runs.ts')).listRuns(workspace),
  };
  const chosen = what === undefined ? Object.values(builders) : [builders[what]!];
  return Promise.all(chosen.map((build) => build()));
}
