// All that the viewer can ask of a folder of runs. Every answer is computed from files: nothing is kept that a restart would lose.
import { dirname } from 'node:path';
import { ToolError } from '../../core/errors.ts';
import { safeFileName, suggestName } from '../../core/names.ts';
import { type FlipsQuery, flipsPage, type SampleSource, sampleDetail, samplesPage } from '../../report/viewer/browse-samples.ts';
import { comparisonView } from '../../report/viewer/compare-view.ts';
import { filterRuns, type RunFilter } from '../../report/viewer/filter-runs.ts';
import type {
  ComparisonView,
  FlipsPage,
  LeaderboardEntry,
  PromptView,
  RunDetail,
  RunRow,
  RunsPage,
  SampleDetail,
  SampleQuery,
  SamplesPage,
  TrainingView,
  ViewerEvent,
} from '../../report/viewer/viewer-contract.ts';
import { loadFileRunStore } from '../../store/registry.ts';
import { compareRuns } from '../compare.ts';
import type { Workspace } from '../workspace.ts';
import { readTraining } from './read-training.ts';
import { RunCatalogue } from './run-catalogue.ts';
import { runDetail } from './run-detail.ts';
import { type RunHandle, RunHandles } from './run-handles.ts';
import { checkName, checkTags, writeRunNotes } from './run-notes.ts';
import { moveToTrash, restoreFromTrash } from './trash.ts';
import { watchRuns } from './watch-runs.ts';

const firstPage = 50;

export interface ContenderReference {
  readonly run: string;
  readonly model: string;
}

export interface RunLibrary {
  readonly folder: string;
  readonly listRuns: (filter: RunFilter, offset: number, limit: number) => Promise<RunsPage>;
  readonly runDetail: (id: string) => Promise<RunDetail>;
  readonly samples: (id: string, query: SampleQuery) => Promise<SamplesPage>;
  readonly sample: (id: string, slot: number, query: Omit<SampleQuery, 'offset' | 'limit'>) => Promise<SampleDetail>;
  /** Columns and rows of a run, for the export. */
  readonly sampleSource: (id: string) => Promise<SampleSource>;
  /** The prompt as sent, made again from plan and dataset; proven equal by the task's digest. */
  readonly prompt: (id: string, slot: number) => Promise<PromptView>;
  readonly compare: (ids: readonly string[], baseline: string | undefined) => Promise<ComparisonView>;
  readonly flips: (left: ContenderReference, right: ContenderReference, query: FlipsQuery) => Promise<FlipsPage>;
  readonly leaderboard: () => Promise<readonly LeaderboardEntry[]>;
  readonly training: () => Promise<readonly TrainingView[]>;
  readonly setNotes: (id: string, change: { readonly name?: unknown; readonly tags?: unknown }) => Promise<RunRow>;
  readonly remove: (id: string) => Promise<void>;
  readonly restore: (id: string) => Promise<void>;
  /** Calls back with ids and counters when runs change; returns the way to stop. */
  readonly watch: (listener: (event: ViewerEvent) => void) => () => void;
}

/** @param trainingRoots - folders searched for benchmark records; default: the parent of the runs folder */
export async function openLibrary(workspace: Workspace, trainingRoots?: readonly string[]): Promise<RunLibrary> {
  const folder = workspace.runsFolder;
  const catalogue = new RunCatalogue(folder);
  // The first page is asked for at once: what it needs is read before the address is printed.
  await catalogue.refresh();
  await catalogue.withResults(filterRuns(catalogue.rows(), {}).rows.slice(0, firstPage));
  const handles = new RunHandles(await loadFileRunStore(folder), workspace);

  async function rowOf(id: string): Promise<RunRow> {
    await catalogue.refresh();
    await catalogue.refreshRun(id);
    const row = catalogue.row(id);
    if (row !== null) return row;
    const known = catalogue.rows().map((one) => one.id);
    throw new ToolError('not-found', `no run "${safeFileName(id)}" in ${folder}`, { hint: suggestName(id, known) });
  }
  async function handleOf(id: string): Promise<RunHandle> {
    const row = await rowOf(id);
    return handles.get(id, catalogue.folderOf(id)!, row.state !== 'complete');
  }
  const watch = watchRuns({ catalogue, handleOf });

  return {
    folder,
    listRuns: async (filter, offset, limit) => {
      await catalogue.refresh();
      const all = catalogue.rows();
      const { rows, facets } = filterRuns(all, filter);
      return {
        folder,
        total: all.length,
        matching: rows.length,
        rows: await catalogue.withResults(rows.slice(offset, offset + limit)),
        facets,
      };
    },
    runDetail: async (id) => {
      const handle = await handleOf(id);
      const [row] = await catalogue.withResults([await rowOf(id)]);
      return runDetail(row!, handle);
    },
    samples: async (id, query) => samplesPage((await handleOf(id)).samples, query),
    sample: async (id, slot, query) => sampleDetail((await handleOf(id)).samples, slot, query),
    sampleSource: async (id) => (await handleOf(id)).samples,
    prompt: async (id, slot) => {
      // Datasets and templates are loaded for the first prompt that is asked for.
      const { rebuildPrompt } = await import('./rebuild-prompt.ts');
      return rebuildPrompt(await handleOf(id), slot, workspace);
    },
    compare: async (ids, baseline) => {
      for (const id of ids) await rowOf(id);
      return comparisonView(await compareRuns(ids, { workspace, baseline }));
    },
    flips: async (left, right, query) =>
      flipsPage(
        { source: (await handleOf(left.run)).samples, model: left.model },
        { source: (await handleOf(right.run)).samples, model: right.model },
        query,
      ),
    leaderboard: async () => {
      await catalogue.refresh();
      return catalogue.leaderboard();
    },
    training: () => readTraining(trainingRoots ?? [dirname(folder)]),
    setNotes: async (id, change) => {
      await rowOf(id);
      const before = catalogue.notesOf(id);
      await writeRunNotes(catalogue.folderOf(id)!, {
        name: change.name === undefined ? before.name : checkName(change.name),
        tags: change.tags === undefined ? before.tags : checkTags(change.tags),
      });
      await catalogue.refresh(true);
      return rowOf(id);
    },
    remove: async (id) => {
      await rowOf(id);
      handles.drop(id);
      await moveToTrash(folder, id);
      await catalogue.refresh(true);
    },
    restore: async (id) => {
      if (id !== safeFileName(id)) throw new ToolError('usage', `"${safeFileName(id)}" is not a run id`);
      await restoreFromTrash(folder, id);
      await catalogue.refresh(true);
    },
    watch,
  };
}
