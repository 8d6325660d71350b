// Asynchronous scoring of one answer (code execution, LLM judge, embeddings). The verdict is journalled, so scoring stays pure.

import type { Row } from '../dataset.ts';
import type { Grade, PredictionRow } from '../prediction.ts';

export interface Grader {
  readonly name: string;
  readonly version: string;
  readonly grade: (row: PredictionRow, document: Row, signal?: AbortSignal) => Promise<Grade>;
  readonly close: () => Promise<void>;
}

/** Sentence embeddings, one unit vector per text. */
export interface Embedder {
  readonly name: string;
  readonly dimensions: number;
  readonly embed: (texts: readonly string[]) => Promise<readonly Float32Array[]>;
  readonly close: () => Promise<void>;
}
