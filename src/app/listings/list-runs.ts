// The runs of the runs folder, newest first.
import { listFileRuns } from '../../store/registry.ts';
import type { Workspace } from '../workspace.ts';
import { column, type Listing } from './listing.ts';

export async function listRuns(workspace: Workspace): Promise<Listing> {
  const runs = await listFileRuns(workspace.runsFolder);
  const rows = runs.map((run) => [
    run.runId,
    run.status,
    run.created.slice(0, 19).replace('T', ' '),
    run.models.join(', '),
    run.tasks.join(', '),
  ]);
  return {
    name: 'runs',
    title: `Runs in ${workspace.runsFolder}`,
    columns: [column('run'), column('status'), column('created (UTC)'), column('models'), column('tasks')],
    rows,
    json: runs,
  };
}
