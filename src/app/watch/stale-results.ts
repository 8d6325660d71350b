// Which results of a recipe must be measured again: those of which anything has changed since their last good measurement.
import { digestOf } from '../../core/digest.ts';
import type { PlannedModel, PlannedTask, RunPlan } from '../../core/plan.ts';
import { seriesOf, type WatchHistory } from './history.ts';

export interface WatchedPair {
  readonly model: PlannedModel;
  readonly task: PlannedTask;
  readonly fingerprint: string | null;
}

export interface StalePair extends WatchedPair {
  readonly reason: string;
}

/** Digest of all that shapes one result; null where the model's content is not known, so that it may have changed at any time. */
export function fingerprintOf(plan: RunPlan, model: PlannedModel, task: PlannedTask, toolVersion: string): string | null {
  if (model.facts.digest === null) return null;
  const { seed, repeats, protocol, deterministic, system, overflow } = plan;
  return digestOf({
    model: { digest: model.facts.digest, adapters: model.facts.adapters, backend: model.backend, settings: model.settings },
    task: { digest: task.digest, manifest: task.manifest, metrics: task.metrics, generation: task.generation },
    settings: { seed, repeats, protocol, deterministic, system, overflow },
    toolVersion,
  });
}

/** @param force - measure everything again */
export function findStale(plan: RunPlan, history: WatchHistory, toolVersion: string, force: boolean): StalePair[] {
  return plan.models.flatMap((model) =>
    plan.tasks.flatMap((task): StalePair[] => {
      const pair: WatchedPair = { model, task, fingerprint: fingerprintOf(plan, model, task, toolVersion) };
      const reason = force ? 'asked for' : reasonOf(pair, history);
      return reason === null ? [] : [{ ...pair, reason }];
    }),
  );
}

function reasonOf({ model, task, fingerprint }: WatchedPair, history: WatchHistory): string | null {
  const last = seriesOf(history, model.key, task.key).at(-1);
  if (last === undefined) return 'never measured';
  if (last.status !== 'complete') return `the last run was ${last.status}`;
  if (fingerprint === null) return 'the server does not say what it runs';
  if (last.modelDigest !== model.facts.digest) return `the model changed: ${short(last.modelDigest)} is now ${short(model.facts.digest)}`;
  return last.fingerprint === fingerprint ? null : 'task, settings or tool changed';
}

function short(digest: string | null): string {
  return digest === null ? 'unknown' : digest.slice(0, 12);
}
