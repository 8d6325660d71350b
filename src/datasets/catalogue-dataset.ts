// A named dataset: whatever source serves, the rows are the same, or the source is refused.
import type { Dataset } from '../core/dataset.ts';
import { messageOf, ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import type { CatalogueEntry, CatalogueSplit, SplitSource } from './catalogue/entry.ts';
import { rowShapes } from './catalogue/row-shapes.ts';
import { loadFiles } from './load-files.ts';
import type { LoadOptions } from './load-options.ts';
import { type LoadedSplit, makeDataset } from './make-dataset.ts';

/** @throws ToolError `not-found` for an unknown configuration */
export async function loadCatalogueDataset(entry: CatalogueEntry, config: string | undefined, options: LoadOptions): Promise<Dataset> {
  const { name } = entry.info;
  if (config !== undefined && entry.configs?.includes(config) !== true) {
    throw new ToolError('not-found', `dataset ${name} has no part "${config}"`, { hint: suggestName(config, entry.configs ?? []) });
  }
  const key = config === undefined ? name : `${name}:${config}`;
  return makeDataset({
    info: config === undefined ? entry.info : { ...entry.info, name: key, title: `${entry.info.title}: ${config.replaceAll('_', ' ')}` },
    splitNames: Object.keys(entry.splits(config)),
    provenance: { kind: 'hf', reference: key },
    load: async (split) => await loadFirst(`${key} (${split})`, split, entry, entry.splits(config)[split]!, options),
  });
}

/** Caches first, then each source in order. */
async function loadFirst(
  title: string,
  name: string,
  entry: CatalogueEntry,
  split: CatalogueSplit,
  options: LoadOptions,
): Promise<LoadedSplit> {
  for (const source of split.sources) {
    try {
      return await loadFrom(source, title, name, entry, split, { ...options, offline: true });
    } catch {
      // Not in the cache, or not whole: the second pass says why.
    }
  }
  const failures: ToolError[] = [];
  for (const source of split.sources) {
    try {
      return await loadFrom(source, title, name, entry, split, options);
    } catch (thrown) {
      const error = ToolError.isInstance(thrown) ? thrown : new ToolError('internal', messageOf(thrown), { cause: thrown });
      if (error.code === 'interrupted' || error.code === 'storage' || error.code === 'internal') throw error;
      failures.push(error);
    }
  }
  throw explain(title, failures, options.offline);
}

async function loadFrom(
  source: SplitSource,
  title: string,
  name: string,
  entry: CatalogueEntry,
  split: CatalogueSplit,
  options: LoadOptions,
) {
  const loaded = await loadFiles(
    {
      split: name,
      kind: source.kind,
      reference: source.files.length === 1 ? source.files[0]!.reference : source.title,
      files: source.files,
      format: source.format,
      column: source.column,
      shape: source.shape === undefined ? undefined : rowShapes[source.shape](),
      classNames: entry.classNames,
      skipBadRows: source.skipBadRows,
    },
    { ...options, format: undefined, encoding: undefined },
  );
  if (split.manifest !== undefined && split.manifest !== loaded.split.manifest) {
    throw new ToolError(
      'integrity',
      `${source.title} has other rows than ${title} stands for (manifest ${loaded.split.manifest.slice(0, 16)}, expected ${split.manifest.slice(0, 16)})`,
      {
        hint: 'to use them all the same, name the source itself as the dataset',
      },
    );
  }
  return loaded;
}

function explain(title: string, failures: readonly ToolError[], offline: boolean): ToolError {
  if (failures.length === 1) return failures[0]!;
  const code = failures.find((error) => error.code === 'integrity' || error.code === 'access')?.code ?? 'unavailable';
  const said = failures.map((error) => `\n  ${error.message}${error.hint === undefined ? '' : ` (${error.hint})`}`).join('');
  return new ToolError(code, `no source could serve ${title}:${said}`, offline ? { hint: 'run once without --offline' } : {});
}
