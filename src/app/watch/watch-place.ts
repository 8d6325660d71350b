// Where a watch remembers and measures: a folder of this machine, or a database that several machines share (shared-watch.ts).
import { evaluateRequest } from '../evaluate-request.ts';
import type { EvaluationHooks, EvaluationRequest, EvaluationResult } from '../evaluation-request.ts';
import { appendHistory, type HistoryEntry, readHistory, type Tick, type WatchHistory } from './history.ts';

export interface WatchPlace {
  readonly history: () => Promise<WatchHistory>;
  readonly append: (values: readonly (HistoryEntry | Tick)[]) => Promise<void>;
  readonly measure: (request: EvaluationRequest, hooks: EvaluationHooks) => Promise<EvaluationResult>;
  /** Brings a run of an earlier tick, perhaps measured elsewhere, into the runs folder. */
  readonly fetchRun: (runId: string, runsFolder: string) => Promise<void>;
}

export function localPlace(folder: string): WatchPlace {
  return {
    history: () => readHistory(folder),
    append: (values) => appendHistory(folder, values),
    measure: evaluateRequest,
    fetchRun: async () => undefined,
  };
}
