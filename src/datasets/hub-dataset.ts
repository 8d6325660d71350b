// Any dataset repository of the Hugging Face hub: its files are listed, grouped into configurations and splits, and read.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dataset, DatasetLicence } from '../core/dataset.ts';
import { sha256Hex } from '../core/digest.ts';
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { fetchFile } from '../sources/fetch-file.ts';
import { type HubListing, listHubFiles } from '../sources/hf/hub-api.ts';
import { writeFileAtomic } from '../sources/write-file-atomic.ts';
import { contextOf, loadFiles } from './load-files.ts';
import type { LoadOptions } from './load-options.ts';
import { makeDataset } from './make-dataset.ts';
import { formatOfName } from './read-rows.ts';
import { splitOfPath } from './split-name.ts';

export interface HubDatasetReference {
  readonly repository: string;
  /** @default 'main' */
  readonly revision?: string | undefined;
  readonly config?: string | undefined;
}

/** Where the hub keeps its own Parquet copy of datasets that are published as scripts. */
const convertedRevision = 'refs/convert/parquet';

/** Loads `hf:owner/repo[@revision][:config]`; the revision is pinned to its commit, which the provenance names. */
export async function loadHubDataset(reference: HubDatasetReference, options: LoadOptions): Promise<Dataset> {
  let listing = await listCached(reference, options);
  let configs = groupFiles(listing);
  if (configs.size === 0 && reference.revision === undefined) {
    listing = await listCached({ ...reference, revision: convertedRevision }, options);
    configs = groupFiles(listing);
  }
  const splits = chooseConfig(reference, configs);
  const text = `hf:${reference.repository}@${listing.commit}${reference.config === undefined ? '' : `:${reference.config}`}`;
  return makeDataset({
    info: {
      name: reference.repository,
      title: reference.repository,
      description: `dataset ${reference.repository} of the Hugging Face hub`,
      licence: await readLicence(reference, listing, options),
      homepage: `https://huggingface.co/datasets/${reference.repository}`,
      version: listing.commit,
    },
    splitNames: [...splits.keys()],
    provenance: { kind: 'hf', reference: text, revision: listing.commit },
    load: async (split) => {
      const sizes = new Map(listing.files.map((file) => [file.path, file.sizeBytes]));
      const files = splits.get(split)!.map((path) => {
        const sizeBytes = sizes.get(path);
        return { reference: `hf:datasets/${reference.repository}@${listing.commit}/${path}`, ...(sizeBytes ? { sizeBytes } : {}) };
      });
      return await loadFiles({ split, kind: 'hf', reference: text, files }, options);
    },
  });
}

/** Lists a repository, remembering the answer so that `--offline` works later. */
async function listCached(reference: HubDatasetReference, options: LoadOptions): Promise<HubListing> {
  const revision = reference.revision ?? 'main';
  const note = join(options.cacheDirectory, 'listings', `${sha256Hex(`${reference.repository}@${revision}`).slice(0, 24)}.json`);
  const remembered = async () => JSON.parse(await readFile(note, 'utf8')) as HubListing;
  if (options.offline) {
    return await remembered().catch(() => {
      throw new ToolError('unavailable', `offline: the file list of ${reference.repository} is not in the cache`);
    });
  }
  try {
    const listing = await listHubFiles({ repositoryKind: 'datasets', repository: reference.repository, revision }, contextOf(options));
    await mkdir(join(options.cacheDirectory, 'listings'), { recursive: true });
    await writeFileAtomic(note, JSON.stringify(listing));
    return listing;
  } catch (thrown) {
    if (ToolError.isInstance(thrown) && thrown.code === 'unavailable') {
      const listing = await remembered().catch(() => undefined);
      if (listing !== undefined) return listing;
    }
    throw thrown;
  }
}

type Splits = ReadonlyMap<string, readonly string[]>;

/** Data files by configuration and split. The best-typed format that a repository has is used alone: Parquet, Arrow, JSON, CSV. */
function groupFiles(listing: HubListing): ReadonlyMap<string, Splits> {
  const all = listing.files.map((file) => file.path).filter((path) => !path.startsWith('.') && isData(path));
  const format = (['parquet', 'arrow', 'jsonl', 'json', 'csv'] as const).find((wanted) =>
    all.some((path) => formatOfName(path) === wanted),
  );
  const configs = new Map<string, Map<string, string[]>>();
  for (const path of all.filter((candidate) => formatOfName(candidate) === format).sort()) {
    const config = configOf(path);
    const split = splitOfPath(path) ?? 'train';
    const splits = configs.get(config) ?? new Map<string, string[]>();
    configs.set(config, splits.set(split, [...(splits.get(split) ?? []), path]));
  }
  return configs;
}

function isData(path: string): boolean {
  const format = formatOfName(path);
  return format !== undefined && format !== 'text' && !/(^|\/)(dataset_infos?|config|state|package)\.json$/i.test(path);
}

function configOf(path: string): string {
  const folders = path
    .split('/')
    .slice(0, -1)
    .filter((folder) => folder !== 'data' && splitOfPath(folder) === undefined);
  return folders[0] ?? 'default';
}

function chooseConfig(reference: HubDatasetReference, configs: ReadonlyMap<string, Splits>): Splits {
  const names = [...configs.keys()];
  if (names.length === 0) throw new ToolError('data', `${reference.repository} has no data files in a format that is read here`);
  const wanted = reference.config ?? (names.includes('default') ? 'default' : names.length === 1 ? names[0]! : undefined);
  const splits = wanted === undefined ? undefined : configs.get(wanted);
  if (splits !== undefined) return splits;
  throw new ToolError(
    'not-found',
    `${reference.repository} ${wanted === undefined ? 'has several configurations' : `has no configuration "${wanted}"`}`,
    {
      hint:
        wanted === undefined
          ? `choose one: hf:${reference.repository}:${names[0]}; there are ${names.slice(0, 20).join(', ')}`
          : suggestName(wanted, names),
    },
  );
}

/** Licences that allow copies of the data to be passed on. */
const openLicences = /^(mit|apache-2\.0|bsd.*|cc0-1\.0|cc-by(-sa)?-\d.*|odc-by|pddl|unlicense|isc)$/i;

async function readLicence(reference: HubDatasetReference, listing: HubListing, options: LoadOptions): Promise<DatasetLicence> {
  const url = `https://huggingface.co/datasets/${reference.repository}`;
  const unknown = { name: 'unknown', url, redistributable: false };
  if (!listing.files.some((file) => file.path === 'README.md')) return unknown;
  try {
    const card = await fetchFile([{ reference: `hf:datasets/${reference.repository}@${listing.commit}/README.md` }], contextOf(options));
    const name = /^license:\s*(?:\n\s*-\s*)?([^\s#]+)/m.exec(await readFile(card.path, 'utf8'))?.[1];
    return name === undefined ? unknown : { name, url, redistributable: openLicences.test(name) };
  } catch {
    return unknown;
  }
}
