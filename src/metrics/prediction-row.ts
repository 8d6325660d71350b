// A complete prediction row from the few facts that a test or a caller with foreign predictions has.
import { noTiming, noUsage } from '../core/generation.ts';
import { scored } from '../core/outcome.ts';
import type { PredictionRow } from '../core/prediction.ts';

/** Fills everything that is not given with "unknown"; `raw` and `cleaned` default to the prediction. */
export function predictionRow(facts: Pick<PredictionRow, 'id'> & Partial<PredictionRow>): PredictionRow {
  const prediction = facts.prediction ?? null;
  return {
    model: 'unknown',
    task: 'unknown',
    repeat: 0,
    instruction: '',
    label: null,
    prediction,
    outcome: scored,
    raw: prediction,
    reasoning: null,
    cleaned: prediction,
    extractedBy: null,
    finishReason: null,
    usage: noUsage,
    timing: noTiming,
    origin: 'fresh',
    warnings: [],
    ...facts,
  };
}
