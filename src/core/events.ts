// What happens during a run, as typed events: progress writers, events.jsonl, the viewer and tests listen to the same stream.

import type { MetricValue } from './metric.ts';
import type { Outcome } from './outcome.ts';

export type RunEvent =
  | {
      readonly kind: 'run-started';
      readonly at: string;
      readonly runId: string;
      readonly planDigest: string;
      readonly resumed: boolean;
      readonly total: number;
      readonly done: number;
    }
  | { readonly kind: 'model-loading'; readonly at: string; readonly model: string }
  | { readonly kind: 'model-loaded'; readonly at: string; readonly model: string; readonly loadMs: number | null }
  | { readonly kind: 'model-failed'; readonly at: string; readonly model: string; readonly message: string }
  | { readonly kind: 'model-closed'; readonly at: string; readonly model: string }
  | {
      readonly kind: 'task-started';
      readonly at: string;
      readonly model: string;
      readonly task: string;
      readonly total: number;
      readonly done: number;
    }
  | {
      readonly kind: 'sample-finished';
      readonly at: string;
      readonly model: string;
      readonly task: string;
      readonly id: string;
      readonly repeat: number;
      readonly outcome: Outcome['kind'];
      readonly correct: boolean | null;
      readonly totalMs: number | null;
    }
  | {
      readonly kind: 'task-finished';
      readonly at: string;
      readonly model: string;
      readonly task: string;
      readonly primary: MetricValue | null;
    }
  | { readonly kind: 'engine-restarted'; readonly at: string; readonly model: string; readonly reason: string }
  | {
      readonly kind: 'download';
      readonly at: string;
      readonly name: string;
      readonly doneBytes: number;
      readonly totalBytes: number | null;
      readonly bytesPerSecond: number | null;
      readonly source: string;
    }
  | { readonly kind: 'training'; readonly at: string; readonly progress: unknown }
  | { readonly kind: 'warning'; readonly at: string; readonly message: string }
  | { readonly kind: 'note'; readonly at: string; readonly message: string }
  | { readonly kind: 'interrupted'; readonly at: string }
  | { readonly kind: 'run-finished'; readonly at: string; readonly runId: string; readonly status: 'complete' | 'partial' | 'failed' };

export type EventListener = (event: RunEvent) => void;
