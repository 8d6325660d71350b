// Which model a worker works on next: the one it has loaded while there is work for it, else one that the fewest others work on.
import { messageOf, ToolError } from '../../core/errors.ts';
import type { Backend } from '../../core/ports/backend.ts';
import { type OpenQueue, openQueues } from '../../store/postgres/chunk-table.ts';
import type { SharedStore } from '../../store/postgres/shared-store.ts';
import type { Claim, WorkQueue } from '../../store/postgres/work-queue.ts';
import type { Workspace } from '../workspace.ts';
import { type Abilities, cannotRun } from './abilities.ts';
import { openSharedRun, type SharedRun } from './shared-run.ts';

/** After this time a model or run that could not be had is looked for again, ms. */
const refusalMs = 30_000;
const mostOpenRuns = 4;
/** The list of open queues is good for so long while it leads to work, ms: a run of higher priority waits no longer than this. */
const listMs = 500;

export interface FoundWork {
  readonly claim: Claim;
  /** Time at the database, without that of finding models and data here, ms. */
  readonly claimMs: number;
  readonly open: () => Promise<Backend>;
}

export interface WorkFinder {
  readonly next: (loaded: string | null) => Promise<FoundWork | null>;
  readonly sharedRun: (entry: { readonly run: string; readonly runId: string }) => Promise<SharedRun>;
  /** Forgets that a queue's model was found: its loading failed. */
  readonly refuse: (queue: string, reason: string) => void;
  /** Why work of some queues is not taken, by queue. */
  readonly refusals: () => Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

export interface WorkFinderInput {
  readonly store: SharedStore;
  readonly queue: WorkQueue;
  readonly workspace: Workspace;
  readonly abilities: Abilities;
  /** Told once about each reason. */
  readonly onRefusal: (reason: string, run: { readonly run: string; readonly runId: string }) => void;
  /** Only work of this run. */
  readonly onlyRun?: string | undefined;
}

export interface RankOptions {
  /** Queue of the model that is loaded. */
  readonly loaded: string | null;
  readonly onlyRun?: string | undefined;
  /** A number of this worker's own for each queue: workers that start together then begin with different models. */
  readonly draw: (queue: string) => number;
}

/** Higher priority first, then the loaded model, then those that have fewest workers: each is loaded as seldom as can be. */
export function rankQueues(queues: readonly OpenQueue[], { loaded, onlyRun, draw }: RankOptions): readonly OpenQueue[] {
  return queues
    .filter(({ runId }) => onlyRun === undefined || runId === onlyRun)
    .toSorted(
      (a, b) =>
        b.priority - a.priority ||
        Number(b.queue === loaded) - Number(a.queue === loaded) ||
        a.active - b.active ||
        draw(a.queue) - draw(b.queue),
    );
}

export function openWorkFinder(input: WorkFinderInput): WorkFinder {
  const { store, queue, workspace, abilities } = input;
  const runs = new Map<string, Promise<SharedRun>>();
  const found = new Map<string, () => Promise<Backend>>();
  const refused = new Map<string, { readonly reason: string; readonly until: number }>();
  const draws = new Map<string, number>();
  let listed: { readonly atMs: number; readonly queues: readonly OpenQueue[] } = { atMs: Number.NEGATIVE_INFINITY, queues: [] };

  function draw(name: string): number {
    const drawn = draws.get(name) ?? Math.random();
    draws.set(name, drawn);
    return drawn;
  }
  function sharedRun(entry: { readonly run: string; readonly runId: string }): Promise<SharedRun> {
    let shared = runs.get(entry.run);
    if (shared === undefined) {
      shared = openSharedRun(store, entry, workspace);
      runs.set(entry.run, shared);
      shared.catch(() => runs.delete(entry.run));
      forgetOldest();
    }
    return shared;
  }
  function forgetOldest(): void {
    for (const [run, shared] of runs) {
      if (runs.size <= mostOpenRuns) return;
      runs.delete(run);
      shared.then((one) => one.close()).catch(() => undefined);
    }
  }
  function refuse(name: string, reason: string): void {
    refused.set(name, { reason, until: performance.now() + refusalMs });
    found.delete(name);
  }
  async function findModel(candidate: OpenQueue): Promise<boolean> {
    if (found.has(candidate.queue)) return true;
    if ((refused.get(candidate.queue)?.until ?? 0) > performance.now()) return false;
    try {
      const shared = await sharedRun(candidate);
      const model = shared.plan.models[candidate.model]!;
      const reason = cannotRun(model, abilities);
      if (reason !== null) throw new ToolError('unsupported', reason);
      // The tasks must be the same here, too, before any of their work is taken.
      await shared.tasks();
      found.set(candidate.queue, await shared.findModel(model));
      refused.delete(candidate.queue);
      return true;
    } catch (error) {
      const reason = messageOf(error);
      if (refused.get(candidate.queue)?.reason !== reason) input.onRefusal(reason, candidate);
      refuse(candidate.queue, reason);
      return false;
    }
  }
  async function claimFrom(loaded: string | null, again: boolean): Promise<FoundWork | null> {
    let sinceMs = performance.now();
    if (again) listed = { atMs: sinceMs, queues: await openQueues(store.database) };
    for (const candidate of rankQueues(listed.queues, { loaded, onlyRun: input.onlyRun, draw })) {
      const findMs = performance.now();
      if (!(await findModel(candidate))) continue;
      sinceMs += performance.now() - findMs;
      const claim = await queue.claim(candidate.queue);
      if (claim !== null) return { claim, claimMs: performance.now() - sinceMs, open: found.get(candidate.queue)! };
    }
    return null;
  }
  return {
    sharedRun,
    refuse,
    refusals: () => Object.fromEntries([...refused].map(([name, { reason }]) => [name, reason])),
    next: async (loaded) => {
      const isNew = performance.now() - listed.atMs > listMs;
      return (await claimFrom(loaded, isNew)) ?? (isNew ? null : claimFrom(loaded, true));
    },
    close: async () => {
      for (const shared of runs.values()) await shared.then((one) => one.close()).catch(() => undefined);
    },
  };
}
