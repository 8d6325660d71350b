// What a catalogue entry says: licence, citation, and for each split the sources that yield the same rows.
import type { DatasetInfo, DatasetProvenance } from '../../core/dataset.ts';
import type { FileSource } from '../../core/model.ts';
import type { FileFormat } from '../read-rows.ts';
import type { ShapeName } from './row-shapes.ts';

export interface SplitSource {
  readonly kind: DatasetProvenance['kind'];
  /** Shown when several files make the split. */
  readonly title: string;
  /** All of them, in order. */
  readonly files: readonly FileSource[];
  readonly format?: FileFormat | undefined;
  /** A column that the files lack because each file stands for one value of it, in the order of the files. */
  readonly column?: { readonly name: string; readonly values: readonly string[] } | undefined;
  /** How this source's rows become the columns the name stands for. */
  readonly shape?: ShapeName | undefined;
  /** The published files are known to have damaged rows. */
  readonly skipBadRows?: boolean | undefined;
}

export interface CatalogueSplit {
  readonly sources: readonly SplitSource[];
  /** Pinned content: a source with other rows is refused. */
  readonly manifest?: string | undefined;
}

export interface CatalogueEntry {
  readonly info: DatasetInfo;
  /** Parts that can be asked for alone: `mmlu:anatomy`. */
  readonly configs?: readonly string[] | undefined;
  /** Names of integer class labels by column. */
  readonly classNames?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly splits: (config?: string) => Readonly<Record<string, CatalogueSplit>>;
}
