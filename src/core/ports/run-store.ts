// Where a run is kept. The file store is the default; the shared store on PostgreSQL passes the same suite.
import type { RunEvent } from '../events.ts';
import type { RunPlan } from '../plan.ts';
import type { PredictionRow } from '../prediction.ts';
import type { RunRecord } from '../record.ts';

export interface RunWriter {
  readonly runId: string;
  /** Appends rows in order; resolves once they are durable (group fsync). */
  readonly append: (rows: readonly PredictionRow[]) => Promise<void>;
  readonly event: (event: RunEvent) => void;
  /** Reads the journal from its start, skipping a torn last line. */
  readonly rows: () => AsyncIterable<PredictionRow>;
  readonly writeRecord: (record: RunRecord) => Promise<void>;
  /** Any further artifact (report.md, predictions.jsonl...), written atomically. */
  readonly writeArtifact: (name: string, content: string | AsyncIterable<string>) => Promise<void>;
  /** Text of an artifact that this run already has (facts of an earlier session), or null. */
  readonly readArtifact: (name: string) => Promise<string | null>;
  /** sha256 of an artifact, of `journal.jsonl` or of `plan.json` as it is now, or null where there is none. */
  readonly digestArtifact: (name: string) => Promise<string | null>;
  readonly close: () => Promise<void>;
}

export interface RunSummary {
  readonly runId: string;
  readonly location: string;
  readonly created: string;
  readonly status: 'unfinished' | 'complete' | 'partial' | 'failed';
  readonly planDigest: string;
  readonly models: readonly string[];
  readonly tasks: readonly string[];
}

export interface RunStore {
  /** Opens the newest unfinished run with this plan digest (unless `fresh`), else makes a new one; takes the lock. */
  readonly open: (
    plan: RunPlan,
    options: { readonly fresh: boolean },
  ) => Promise<{ readonly writer: RunWriter; readonly resumed: boolean }>;
  readonly list: () => Promise<readonly RunSummary[]>;
  readonly readPlan: (runId: string) => Promise<RunPlan>;
  readonly readRecord: (runId: string) => Promise<RunRecord>;
  readonly readRows: (runId: string) => AsyncIterable<PredictionRow>;
  readonly readArtifact: (runId: string, name: string) => Promise<string | null>;
  readonly digestArtifact: (runId: string, name: string) => Promise<string | null>;
}
