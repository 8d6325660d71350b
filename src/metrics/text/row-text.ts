// What a text metric reads from a prediction row: the parsed answer and the accepted references.
import type { PredictionRow } from '../../core/prediction.ts';

/** The answer to score; null for an invalid row, which scores 0. */
export function answerOf(row: PredictionRow): string | null {
  return row.outcome.kind === 'scored' ? row.prediction : null;
}

/** All accepted references, or an empty list where the row has none and so cannot be scored. */
export function referencesOf(row: PredictionRow): readonly string[] {
  if (row.references !== undefined && row.references.length > 0) return row.references;
  return row.label === null ? [] : [row.label];
}
