// Opens the run folder of a shard; a shard that has no record yet is told apart from one that is not there.
import { stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import type { ShardInput } from '../../runner/merge-shards.ts';
import type { RunFacts } from '../../runner/run-facts.ts';
import { readRunFacts } from '../../runner/run-facts-file.ts';
import { loadFileRunStore } from '../../store/registry.ts';
import type { Workspace } from '../workspace.ts';

export interface Shard extends ShardInput {
  readonly facts: RunFacts;
}

async function isFolder(path: string): Promise<boolean> {
  return stat(path).then(
    (facts) => facts.isDirectory(),
    () => false,
  );
}

/** @throws ToolError `not-found` for an unknown run, `data` for one that was never started */
export async function openShard(reference: string, workspace: Workspace): Promise<Shard> {
  const folder = (await isFolder(resolve(reference))) ? resolve(reference) : join(workspace.runsFolder, reference);
  const store = await loadFileRunStore(dirname(folder));
  const id = basename(folder);
  const plan = await store.readPlan(id);
  const facts = await readRunFacts(id, (name) => store.readArtifact(id, name));
  if (facts.sessions.length === 0) {
    throw new ToolError('data', `${reference} has been planned but not run`, {
      hint: 'finish that shard with the command that started it',
    });
  }
  return { name: reference, plan, facts, rows: () => store.readRows(id) };
}
