// A dataset whose splits are read when first asked for, each once.
import type { Dataset, DatasetInfo, DatasetProvenance, DatasetSplit } from '../core/dataset.ts';
import { ToolError } from '../core/errors.ts';
import { suggestName } from '../core/names.ts';

export interface LoadedSplit {
  readonly split: DatasetSplit;
  readonly kind: DatasetProvenance['kind'];
  /** Reference that served, secrets redacted. */
  readonly reference: string;
  readonly revision?: string | undefined;
  /** sha256 by file. */
  readonly files: Readonly<Record<string, string>>;
}

export interface DatasetParts {
  readonly info: DatasetInfo;
  readonly splitNames: readonly string[];
  /** Before any split is loaded. */
  readonly provenance: Pick<DatasetProvenance, 'kind' | 'reference'> & { readonly revision?: string | undefined };
  readonly load: (split: string) => Promise<LoadedSplit>;
}

/** Other names of splits that people use. */
const splitAliases: Readonly<Record<string, string>> = {
  dev: 'validation',
  val: 'validation',
  valid: 'validation',
  validation: 'dev',
  eval: 'test',
};

export function makeDataset(parts: DatasetParts): Dataset {
  const loaded = new Map<string, Promise<LoadedSplit>>();
  let provenance: DatasetProvenance = { ...parts.provenance, files: {} };
  const load = async (name: string): Promise<LoadedSplit> => {
    const result = await parts.load(name);
    const { kind, reference, revision } = result;
    provenance = { kind, reference, ...(revision === undefined ? {} : { revision }), files: { ...provenance.files, ...result.files } };
    return result;
  };
  return {
    info: parts.info,
    splitNames: parts.splitNames,
    /** Grows with every split that is loaded. */
    get provenance() {
      return provenance;
    },
    split: async (wanted) => {
      const name = splitName(wanted, parts);
      if (!loaded.has(name)) {
        const pending = load(name);
        loaded.set(name, pending);
        // A failed download may succeed next time.
        pending.catch(() => loaded.delete(name));
      }
      return (await loaded.get(name)!).split;
    },
  };
}

function splitName(wanted: string, parts: DatasetParts): string {
  if (parts.splitNames.includes(wanted)) return wanted;
  const alias = splitAliases[wanted];
  if (alias !== undefined && parts.splitNames.includes(alias)) return alias;
  throw new ToolError('not-found', `dataset ${parts.info.name} has no split "${wanted}"`, { hint: suggestName(wanted, parts.splitNames) });
}

/** A dataset of rows in memory, with one split. */
export async function datasetFromRows(name: string, rows: Iterable<Readonly<Record<string, unknown>>>, split = 'test'): Promise<Dataset> {
  const { makeSplit } = await import('./make-split.ts');
  const made = await makeSplit(
    [...rows].map((fields) => ({ fields })),
    { name: split, origin: name, notes: { classNames: {}, notes: [] } },
  );
  const info: DatasetInfo = { name, title: name, description: 'rows in memory', licence: { name: 'unknown', redistributable: false } };
  const reference = `memory:${name}`;
  const load = async (): Promise<LoadedSplit> => ({ split: made, kind: 'memory', reference, files: {} });
  return makeDataset({ info, splitNames: [split], provenance: { kind: 'memory', reference }, load });
}
