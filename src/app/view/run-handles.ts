// Opened runs: plan, sample index, search and live figures of the few runs that are being looked at.
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunPlan } from '../../core/plan.ts';
import type { RunStore } from '../../core/ports/run-store.ts';
import type { SampleSource } from '../../report/viewer/browse-samples.ts';
import { runFiles } from '../../store/files/run-folder.ts';
import type { Workspace } from '../workspace.ts';
import { LiveMetrics } from './live-progress.ts';
import { SampleIndex } from './sample-index.ts';
import { SampleSearch } from './search-samples.ts';

export interface RunHandle {
  readonly id: string;
  readonly folder: string;
  readonly plan: RunPlan;
  readonly index: SampleIndex;
  readonly samples: SampleSource;
  /** Only for a run without a complete record: a finished one has its numbers in the record. */
  readonly live: LiveMetrics | null;
}

/** Indexes take a few megabytes per 100,000 samples. */
const mostOpen = 4;

async function stampOf(folder: string): Promise<string> {
  const facts = await stat(join(folder, runFiles.plan)).catch(() => null);
  return facts === null ? '' : `${facts.mtimeMs} ${facts.ino}`;
}

export class RunHandles {
  readonly #store: RunStore;
  readonly #workspace: Workspace;
  readonly #open = new Map<string, { readonly stamp: string; readonly handle: Promise<RunHandle> }>();

  constructor(store: RunStore, workspace: Workspace) {
    this.#store = store;
    this.#workspace = workspace;
  }

  /** The run with everything its journal holds by now. */
  async get(id: string, folder: string, wantsLive: boolean): Promise<RunHandle> {
    const stamp = `${await stampOf(folder)} ${wantsLive}`;
    let known = this.#open.get(id);
    if (known?.stamp !== stamp) {
      const handle = this.#make(id, folder, wantsLive);
      handle.catch(() => this.#open.delete(id));
      known = { stamp, handle };
    }
    // The one used last stands last.
    this.#open.delete(id);
    this.#open.set(id, known);
    while (this.#open.size > mostOpen) this.#open.delete(this.#open.keys().next().value!);
    const handle = await known.handle;
    await handle.index.refresh();
    return handle;
  }

  async #make(id: string, folder: string, wantsLive: boolean): Promise<RunHandle> {
    const plan = await this.#store.readPlan(id);
    const { userMetrics } = this.#workspace;
    const live = wantsLive ? new LiveMetrics(plan, userMetrics) : null;
    const index = new SampleIndex({ folder, plan, userMetrics, onRow: live === null ? undefined : (row) => live.add(row) });
    const search = new SampleSearch(index);
    const samples = {
      columns: index.columns,
      rowsAt: (slots: readonly number[]) => index.rowsAt(slots),
      find: (text: string) => search.find(text),
    };
    return { id, folder, plan, index, samples, live };
  }

  drop(id: string): void {
    this.#open.delete(id);
  }
}
