// What is known and what was run. Each table loads only what it shows: no native library, no connection.
import { existsSync, readFileSync } from 'node:fs';
import { openWorkspace, type Workspace } from '../workspace.ts';
import type { Listing } from './listing.ts';

export interface ListOptions {
  readonly verbose: boolean;
  readonly json: boolean;
  readonly output?: string | undefined;
}

type TableName = 'models' | 'datasets' | 'tasks';

/** Makes a table from the catalogues. */
export async function makeListing(name: TableName, workspace: Pick<Workspace, 'userModels'>, verbose: boolean): Promise<Listing> {
  if (name === 'models') return (await import('./list-models.ts')).listModels(workspace, verbose);
  if (name === 'datasets') return (await import('./list-datasets.ts')).listDatasetTable(verbose);
  return (await import('./list-tasks.ts')).listTaskTable(verbose);
}

/** A table that the build made of the built-in catalogues, so that listing reads one small file; null when run from sources. */
function readBuiltListing(name: TableName): Listing | null {
  try {
    return JSON.parse(readFileSync(new URL(`./built/${name}.json`, import.meta.url), 'utf8')) as Listing;
  } catch {
    return null;
  }
}

function noRuns(folder: string): Listing {
  return { name: 'runs', title: `Runs in ${folder}`, columns: [], rows: [], json: [] };
}

/** All listings, or the one that was asked for. */
export async function listEverything(what: string | undefined, options: ListOptions): Promise<readonly Listing[]> {
  const workspace = await openWorkspace({ output: options.output, offline: true });
  const canUseBuilt = !options.verbose && !options.json && workspace.userModels.length === 0;
  const table = (name: TableName) => (canUseBuilt ? readBuiltListing(name) : null) ?? makeListing(name, workspace, options.verbose);
  const builders: Readonly<Record<string, () => Listing | Promise<Listing>>> = {
    models: () => table('models'),
    datasets: () => table('datasets'),
    tasks: () => table('tasks'),
    runs: async () =>
      existsSync(workspace.runsFolder) ? (await import('./list-runs.ts')).listRuns(workspace) : noRuns(workspace.runsFolder),
  };
  const chosen = what === undefined ? Object.values(builders) : [builders[what]!];
  return Promise.all(chosen.map((build) => build()));
}
