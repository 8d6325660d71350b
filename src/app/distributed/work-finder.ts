// Which model a worker works on next: the one it has loaded while there is work for it, else the first it can run.
import { messageOf, ToolError } from '../../core/errors.ts';
import type { Backend } from '../../core/ports/backend.ts';
import { openQueues } from '../../store/postgres/chunk-table.ts';
import type { SharedStore } from '../../store/postgres/shared-store.ts';
import type { Claim, WorkQueue } from '../../store/postgres/work-queue.ts';
import type { Workspace } from '../workspace.ts';
import { type Abilities, cannotRun } from './abilities.ts';
import { openSharedRun, type SharedRun } from './shared-run.ts';

/** After this time a model or run that could not be had is looked for again, ms. */
const refusalMs = 30_000;
const mostOpenRuns = 4;

export interface FoundWork {
  readonly claim: Claim;
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

export function openWorkFinder(input: WorkFinderInput): WorkFinder {
  const { store, queue, workspace, abilities } = input;
  const runs = new Map<string, Promise<SharedRun>>();
  const found = new Map<string, () => Promise<Backend>>();
  const refused = new Map<string, { readonly reason: string; readonly until: number }>();

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
  async function findModel(candidate: {
    readonly queue: string;
    readonly run: string;
    readonly runId: string;
    readonly model: number;
  }): Promise<boolean> {
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
  return {
    sharedRun,
    refuse,
    refusals: () => Object.fromEntries([...refused].map(([name, { reason }]) => [name, reason])),
    next: async (loaded) => {
      const open = (await openQueues(store.database)).filter(({ runId }) => input.onlyRun === undefined || runId === input.onlyRun);
      const ranked = open.toSorted((a, b) => b.priority - a.priority || Number(b.queue === loaded) - Number(a.queue === loaded));
      for (const candidate of ranked) {
        if (!(await findModel(candidate))) continue;
        const claim = await queue.claim(candidate.queue);
        if (claim !== null) return { claim, open: found.get(candidate.queue)! };
      }
      return null;
    },
    close: async () => {
      for (const shared of runs.values()) await shared.then((one) => one.close()).catch(() => undefined);
    },
  };
}
