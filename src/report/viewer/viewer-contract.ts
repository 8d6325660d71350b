// What the viewer's server and client say to each other. Events carry ids and counters only; pages fetch what they show.
import type { MetricValue } from '../../core/metric.ts';
import type { PlannedModel, PlannedTask } from '../../core/plan.ts';
import type { PredictionRow } from '../../core/prediction.ts';
import type { RunRecord, Validity } from '../../core/record.ts';
import type { Timeline } from '../report-input.ts';

/** `running`: a live process holds the run; `unfinished`: it was stopped and the same command goes on with it. */
export type RunState = 'running' | 'unfinished' | 'complete' | 'partial' | 'failed';

export interface Headline {
  readonly model: string;
  readonly task: string;
  readonly primary: MetricValue | null;
  readonly verdict: Validity['verdict'];
}

export interface RunRow {
  readonly id: string;
  /** The reader's own name for it, else the record's. */
  readonly name: string;
  readonly state: RunState;
  /** RFC 3339, UTC. */
  readonly created: string;
  readonly models: readonly string[];
  readonly tasks: readonly string[];
  readonly tags: readonly string[];
  /** null until it is looked at: the list does not read records of runs it does not show. */
  readonly headlines: readonly Headline[] | null;
  readonly smoke: boolean | null;
  readonly durationMs: number | null;
  /** Samples with a row, of those planned; null where unknown. */
  readonly done: number | null;
  readonly total: number | null;
}

export interface Facet {
  readonly value: string;
  readonly count: number;
}

export interface RunsPage {
  readonly folder: string;
  readonly total: number;
  readonly matching: number;
  readonly rows: readonly RunRow[];
  readonly facets: Readonly<Record<'state' | 'model' | 'task' | 'tag', readonly Facet[]>>;
}

/** One model on one task of a run that goes on or has ended. */
export interface Progress {
  readonly model: string;
  readonly task: string;
  readonly total: number;
  readonly done: number;
  readonly right: number;
  readonly wrong: number;
  /** Scores between 0 and 1. */
  readonly partial: number;
  readonly invalid: number;
  readonly error: number;
  /** The primary metric over the rows so far, with its interval. */
  readonly primary: MetricValue | null;
  readonly meanMs: number | null;
}

export interface LogLine {
  readonly at: string;
  readonly kind: string;
  readonly text: string;
}

export interface RunDetail {
  readonly run: RunRow;
  /** The record without its lists of sample ids; null for a run that has none yet. */
  readonly record: RunRecord | null;
  readonly models: readonly PlannedModel[];
  readonly tasks: readonly PlannedTask[];
  readonly progress: readonly Progress[];
  readonly log: readonly LogLine[];
  readonly timelines: readonly Timeline[];
  /** The `performance` block, as the record has it. */
  readonly performance: unknown;
  readonly quantisation: unknown;
}

export type SampleOutcome = 'right' | 'wrong' | 'partial' | 'scored' | 'invalid' | 'error' | 'skipped';

export interface SampleQuery {
  readonly model?: string | undefined;
  readonly task?: string | undefined;
  readonly outcome?: SampleOutcome | undefined;
  readonly category?: string | undefined;
  /** Only items on which this other model of the same run got the opposite score. */
  readonly flip?: string | undefined;
  readonly text?: string | undefined;
  readonly sort?: SampleSort | undefined;
  readonly offset: number;
  readonly limit: number;
}
export type SampleSort = 'plan' | 'slowest' | 'fastest' | 'lowest';

export interface SampleRow {
  readonly slot: number;
  readonly id: string;
  readonly repeat: number;
  readonly model: string;
  readonly task: string;
  readonly outcome: SampleOutcome;
  /** Why it is invalid or failed. */
  readonly reason: string | null;
  readonly score: number | null;
  readonly instruction: string;
  readonly prediction: string | null;
  readonly label: string | null;
  readonly extractedBy: string | null;
  readonly category: string | null;
  readonly totalMs: number | null;
}

export interface SamplesPage {
  readonly total: number;
  readonly matching: number;
  readonly rows: readonly SampleRow[];
  readonly facets: Readonly<Record<'model' | 'task' | 'outcome' | 'category', readonly Facet[]>>;
}

export interface SampleDetail {
  readonly slot: number;
  readonly row: PredictionRow;
  readonly outcome: SampleOutcome;
  readonly score: number | null;
  /** The same item in the other models and repeats of this run. */
  readonly others: readonly SampleRow[];
  /** Where the sample stands in the filtered list it was opened from; position -1 where it is not in it. */
  readonly neighbours: {
    readonly position: number;
    readonly matching: number;
    readonly previous: number | null;
    readonly next: number | null;
  };
}

/** The prompt as it is made again from plan and dataset. */
export type PromptView =
  | { readonly kind: 'prompt'; readonly parts: readonly { readonly role: string; readonly text: string }[]; readonly note: string }
  | { readonly kind: 'unavailable'; readonly reason: string };

export interface LeaderboardEntry {
  readonly run: string;
  readonly runName: string;
  readonly tags: readonly string[];
  readonly created: string;
  readonly model: string;
  readonly task: string;
  readonly taskTitle: string;
  /** Entries are ranked within equal test sets only. */
  readonly manifest: string;
  readonly samples: number;
  readonly protocol: string;
  readonly primary: MetricValue | null;
  readonly latencyP50Ms: number | null;
  readonly decodeTokensPerSecond: number | null;
  readonly peakRssBytes: number | null;
  readonly sizeBytes: number | null;
  readonly parameters: number | null;
  readonly quantisation: string | null;
  readonly verdict: Validity['verdict'];
  readonly smoke: boolean;
}

export interface ComparedResult {
  readonly label: string;
  readonly run: string;
  readonly model: string;
  readonly primary: MetricValue | null;
  readonly difference: number | null;
  readonly interval: { readonly low: number; readonly high: number } | null;
  readonly adjustedP: number | null;
  readonly n: number | null;
  readonly verdict: string;
  /** Items only this contender, and only the baseline, got right; null where scores are not 0 or 1. */
  readonly gained: number | null;
  readonly lost: number | null;
  readonly categories: readonly { readonly category: string; readonly n: number; readonly difference: number | null }[];
  readonly latencyRatio: number | null;
  readonly memoryRatio: number | null;
  readonly decodeRateRatio: number | null;
}
export interface ComparedTask {
  readonly task: string;
  readonly title: string;
  readonly baseline: string;
  readonly higherIsBetter: boolean;
  readonly sentence: string;
  readonly results: readonly ComparedResult[];
}
export interface ComparisonView {
  readonly tasks: readonly ComparedTask[];
  readonly unshared: readonly string[];
  readonly correction: string;
  readonly contenders: readonly { readonly label: string; readonly run: string; readonly model: string }[];
}

export interface FlipRow {
  readonly id: string;
  readonly instruction: string;
  readonly label: string | null;
  readonly category: string | null;
  readonly left: SampleRow;
  readonly right: SampleRow;
}
export interface FlipsPage {
  readonly matching: number;
  readonly rows: readonly FlipRow[];
}

export interface LossPoint {
  readonly step: number;
  readonly loss: number;
  readonly kind: 'train' | 'validation';
}
export interface TrainingSeed {
  readonly seed: number | null;
  readonly lossCurve: readonly LossPoint[];
  readonly bestStep: number | null;
  readonly elapsedSeconds: number | null;
  readonly examples: number | null;
  readonly globalSteps: number | null;
  readonly alarms: readonly string[];
  readonly primary: MetricValue | null;
}
export interface TrainingView {
  /** Stable within one viewer: from the path of the record. */
  readonly id: string;
  readonly title: string;
  readonly model: string;
  readonly task: string;
  readonly dataset: string;
  readonly created: string;
  readonly smoke: boolean;
  readonly primary: MetricValue | null;
  readonly metrics: readonly MetricValue[];
  readonly baselines: readonly { readonly title: string; readonly primary: MetricValue | null }[];
  readonly pairedTests: readonly {
    readonly baseline: string;
    readonly n: number;
    readonly difference: number | null;
    readonly low: number | null;
    readonly high: number | null;
    readonly adjustedP: number | null;
  }[];
  readonly seeds: readonly TrainingSeed[];
  readonly adapterSizeBytes: number | null;
  readonly notes: readonly string[];
}

/** What the event stream sends: which run changed and how far it is. */
export type ViewerEvent =
  | { readonly kind: 'run'; readonly id: string; readonly state: RunState; readonly done: number | null; readonly total: number | null }
  | { readonly kind: 'runs'; readonly count: number };
