// How the samples of one model and task ended, counted by kind and cause.
import type { PredictionRow } from '../core/prediction.ts';
import type { OutcomeCounts } from '../core/record.ts';

/** @param planned number of planned samples; samples without a row are `missing`. @default the number of rows */
export function countOutcomes(rows: Iterable<PredictionRow>, planned?: number): OutcomeCounts {
  const kinds = { scored: 0, invalid: 0, error: 0, skipped: 0 };
  const invalidReasons = new Map<string, number>();
  const errorClasses = new Map<string, number>();
  const extractedBy = new Map<string, number>();
  const finishReasons = new Map<string, number>();
  let seen = 0;
  let truncated = 0;
  let fresh = 0;
  const count = (map: Map<string, number>, key: string): void => {
    map.set(key, (map.get(key) ?? 0) + 1);
  };
  for (const row of rows) {
    seen++;
    kinds[row.outcome.kind]++;
    if (row.outcome.kind === 'invalid') count(invalidReasons, row.outcome.reason);
    if (row.outcome.kind === 'error') count(errorClasses, row.outcome.class);
    if (row.extractedBy !== null) count(extractedBy, row.extractedBy);
    if (row.finishReason !== null) count(finishReasons, row.finishReason);
    if (row.finishReason === 'length') truncated++;
    if (row.origin === 'fresh') fresh++;
  }
  const total = Math.max(planned ?? seen, seen);
  return {
    total,
    ...kinds,
    missing: total - seen,
    truncated,
    fresh,
    cached: seen - fresh,
    invalidReasons: Object.fromEntries(invalidReasons),
    errorClasses: Object.fromEntries(errorClasses),
    extractedBy: Object.fromEntries(extractedBy),
    finishReasons: Object.fromEntries(finishReasons),
  };
}
