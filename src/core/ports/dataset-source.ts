// Where dataset rows come from; one adapter per kind in src/datasets/.
import type { Dataset } from '../dataset.ts';

export interface DatasetLoadOptions {
  readonly offline: boolean;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((doneBytes: number, totalBytes: number | null) => void) | undefined;
}

export interface DatasetSource {
  readonly kind: string;
  readonly load: (reference: string, options: DatasetLoadOptions) => Promise<Dataset>;
}
