// Counts how the samples of one result ended; every planned sample is in exactly one class.
import { addName, objectOfCounts } from '../core/count-names.ts';
import type { PredictionRow } from '../core/prediction.ts';
import type { OutcomeCounts } from '../core/record.ts';

export interface OutcomeCounter {
  readonly add: (row: PredictionRow) => void;
  /** @param planned - samples times repeats of this result */
  readonly finish: (planned: number) => OutcomeCounts;
  /** Contexts that were too small for a prompt. */
  readonly overflows: () => number;
  /** What the first failed sample said, in the order of the rows; null where none failed. */
  readonly firstError: () => string | null;
}

export function outcomeCounter(): OutcomeCounter {
  const kinds = { scored: 0, invalid: 0, error: 0, skipped: 0 };
  const origins = { fresh: 0, cached: 0, replayed: 0 };
  let rows = 0;
  const invalidReasons = new Map<string, number>();
  const errorClasses = new Map<string, number>();
  const extractedBy = new Map<string, number>();
  const finishReasons = new Map<string, number>();
  let firstError: string | null = null;
  return {
    add: (row) => {
      rows++;
      const { outcome } = row;
      kinds[outcome.kind]++;
      if (outcome.kind === 'invalid') addName(invalidReasons, outcome.reason);
      if (outcome.kind === 'error') {
        addName(errorClasses, outcome.class);
        firstError ??= outcome.message;
      } else origins[row.origin]++;
      if (row.extractedBy !== null) addName(extractedBy, row.extractedBy);
      if (row.finishReason !== null) addName(finishReasons, row.finishReason);
    },
    overflows: () => errorClasses.get('context-overflow') ?? 0,
    firstError: () => firstError,
    finish: (planned) => ({
      total: planned,
      ...kinds,
      missing: planned - rows,
      truncated: finishReasons.get('length') ?? 0,
      fresh: origins.fresh,
      cached: origins.cached,
      invalidReasons: sorted(invalidReasons),
      errorClasses: sorted(errorClasses),
      extractedBy: sorted(extractedBy),
      finishReasons: sorted(finishReasons),
    }),
  };
}

function sorted(counts: ReadonlyMap<string, number>): Record<string, number> {
  return objectOfCounts([...counts].sort(([left], [right]) => (left < right ? -1 : 1)));
}
