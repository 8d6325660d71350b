// Reads an exported site: files that announce their content to the page, so that it also opens from a folder.
import { compareRecords } from '../../../report/compare/compare-records.ts';
import { flipsPage, type SampleSource, sampleDetail, samplesPage } from '../../../report/viewer/browse-samples.ts';
import { comparisonView } from '../../../report/viewer/compare-view.ts';
import { filterRuns } from '../../../report/viewer/filter-runs.ts';
import { missingRow } from '../../../report/viewer/sample-columns.ts';
import { rowHolds } from '../../../report/viewer/sample-row.ts';
import {
  recordWithIds,
  rowsPerFile,
  type SiteData,
  type SiteRows,
  type SiteRun,
  scoredRowsOf,
  unpackColumns,
} from '../../../report/viewer/site-data.ts';
import type { ViewerData } from './viewer-data.ts';

declare global {
  interface Window {
    /** Set by `data/site.js`, which only an exported site has. */
    slmbenchSite?: SiteData;
    slmbenchFile?: (name: string, value: unknown) => void;
  }
}

export function isExportedSite(): boolean {
  return window.slmbenchSite !== undefined;
}

const files = new Map<string, Promise<unknown>>();
const arrived = new Map<string, unknown>();

function loadFile<T>(name: string): Promise<T> {
  window.slmbenchFile ??= (announced, value) => arrived.set(announced, value);
  let file = files.get(name);
  if (file === undefined) {
    file = new Promise((resolve, reject) => {
      const script = document.createElement('script');
      script.src = `./data/${name}.js`;
      script.onload = () => (arrived.has(name) ? resolve(arrived.get(name)) : reject(new Error(`${name} is damaged`)));
      script.onerror = () => reject(new Error(`${name} is missing from this site`));
      document.head.append(script);
    });
    files.set(name, file);
    file.finally(() => arrived.delete(name)).catch(() => files.delete(name));
  }
  return file as Promise<T>;
}

const readOnly = (): Promise<never> => Promise.reject(new Error('An exported site cannot be changed.'));

export function exportedData(): ViewerData {
  const site = window.slmbenchSite!;
  const numberOf = (id: string): number => {
    const at = site.runs.findIndex((run) => run.id === id);
    if (at === -1) throw new Error(`This site has no run ${id}.`);
    return at;
  };
  const runOf = async (id: string): Promise<SiteRun> => loadFile(`run-${numberOf(id)}`);

  async function sourceOf(id: string): Promise<SampleSource> {
    const number = numberOf(id);
    const columns = unpackColumns((await runOf(id)).columns);
    const rowsFile = (file: number): Promise<SiteRows> => loadFile(`rows-${number}-${file}`);
    return {
      columns,
      rowsAt: async (slots) => {
        const rows = await Promise.all(
          slots.map(async (slot) => ({ slot, row: (await rowsFile(Math.floor(slot / rowsPerFile)))[slot % rowsPerFile] ?? null })),
        );
        return rows.flatMap(({ slot, row }) => (row === null ? [] : [{ slot, row }]));
      },
      find: async (text) => {
        const found = new Set<number>();
        for (let slot = 0; slot < columns.total; slot++) {
          if (columns.outcome[slot] === missingRow) continue;
          const row = (await rowsFile(Math.floor(slot / rowsPerFile)))[slot % rowsPerFile];
          if (row != null && rowHolds(row, text.toLowerCase())) found.add(slot);
        }
        return found;
      },
    };
  }

  async function compare(ids: readonly string[], baseline: string | undefined) {
    const runs = await Promise.all(ids.map(runOf));
    const records = runs.map((run) => {
      const record = recordWithIds(run);
      if (record === null) throw new Error(`run ${run.detail.run.id} has no record yet`);
      return record;
    });
    const byRecord = new Map(records.map((record, at) => [record, runs[at]!]));
    return comparisonView(
      compareRecords({
        records,
        scoresOf: ({ record, model }, task) => scoredRowsOf(byRecord.get(record)!, model, task.key),
        baseline,
        seed: records[0]?.settings.seed ?? 42,
      }),
    );
  }

  return {
    isLive: false,
    listRuns: async (filter, offset, limit) => {
      const { rows, facets } = filterRuns(site.runs, filter);
      return { folder: site.folder, total: site.runs.length, matching: rows.length, rows: rows.slice(offset, offset + limit), facets };
    },
    runDetail: async (id) => (await runOf(id)).detail,
    samples: async (id, query) => samplesPage(await sourceOf(id), query),
    sample: async (id, slot, query) => sampleDetail(await sourceOf(id), slot, query),
    prompt: async () => ({ kind: 'unavailable', reason: 'an exported site does not hold the dataset' }),
    compare,
    flips: async (query) =>
      flipsPage(
        { source: await sourceOf(query.leftRun), model: query.leftModel },
        { source: await sourceOf(query.rightRun), model: query.rightModel },
        query,
      ),
    leaderboard: async () => site.leaderboard,
    training: async () => site.training,
    setNotes: readOnly,
    remove: readOnly,
    restore: readOnly,
  };
}
