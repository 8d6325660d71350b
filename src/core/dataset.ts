// Datasets as the rest of the product sees them: named splits of plain JSON rows with content-hash ids.
import type { JsonObject } from './json.ts';

/** One dataset row. `id` = first 16 hex digits of sha256 of the canonical JSON of the row's source fields. */
export interface Row {
  readonly id: string;
  readonly fields: JsonObject;
}

export interface DatasetLicence {
  /** SPDX id or a name. */
  readonly name: string;
  readonly url?: string | undefined;
  /** May prediction files with this data be published? */
  readonly redistributable: boolean;
}

export interface DatasetInfo {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly licence: DatasetLicence;
  readonly homepage?: string | undefined;
  readonly citation?: string | undefined;
  readonly version?: string | undefined;
}

/** Where the bytes came from. */
export interface DatasetProvenance {
  readonly kind: 'builtin' | 'file' | 'hf' | 'https' | 'pypi' | 'memory';
  /** The reference that served, secrets redacted. */
  readonly reference: string;
  readonly revision?: string | undefined;
  /** sha256 of the files read, by path. */
  readonly files: Readonly<Record<string, string>>;
}

export interface DatasetSplit {
  readonly name: string;
  readonly rows: readonly Row[];
  /** sha256 over the ordered row ids: equal manifests mean equal test sets. */
  readonly manifest: string;
  /** Names of integer class labels by column, where known. */
  readonly classNames?: Readonly<Record<string, readonly string[]>> | undefined;
  /** Rows that were dropped or repaired while loading, as one-line notes. */
  readonly notes: readonly string[];
}

export interface Dataset {
  readonly info: DatasetInfo;
  readonly provenance: DatasetProvenance;
  readonly splitNames: readonly string[];
  readonly split: (name: string) => Promise<DatasetSplit>;
}
