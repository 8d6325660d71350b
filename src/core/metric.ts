// Metrics: pure, versioned, streaming. A metric sees prediction rows only, so every number can be recomputed from the journal.
import { z } from 'zod';
import type { PredictionRow } from './prediction.ts';

export const intervalSchema = z.strictObject({
  low: z.number(),
  high: z.number(),
  /** e.g. 0.95 */
  level: z.number(),
  /** `wilson`, `clopper-pearson`, `bootstrap-percentile`, `bootstrap-bca`, `t`, `clustered-t`, `order-statistic`... */
  method: z.string(),
});
export type Interval = z.infer<typeof intervalSchema>;

export const metricValueSchema = z.strictObject({
  /** `accuracy`, `acc_norm`, `f1`, `rouge_l`... */
  name: z.string(),
  /** `micro`, `macro`, `weighted`, `positive`... or null (printed as a dash). */
  average: z.string().nullable(),
  /** null with n = 0 when there is no data; never 0 or NaN in its place. */
  value: z.number().nullable(),
  /** Rows the value rests on. */
  n: z.number().int().nonnegative(),
  interval: intervalSchema.nullable(),
  standardError: z.number().nullable(),
  higherIsBetter: z.boolean(),
  /** `fraction`, `score`, `nats`, `bits/byte`, `ratio`... */
  unit: z.string(),
  /** Version of the metric's definition, and its signature where the field has one (sacrebleu). */
  version: z.string(),
  signature: z.string().optional(),
});
export type MetricValue = z.infer<typeof metricValueSchema>;

export const classResultSchema = z.strictObject({
  label: z.string(),
  precision: z.number(),
  recall: z.number(),
  f1: z.number(),
  support: z.number().int(),
  predicted: z.number().int(),
  truePositives: z.number().int(),
});

/** Further results that some metrics yield beside their values. */
export const metricDetailsSchema = z.strictObject({
  perClass: z.array(classResultSchema).optional(),
  /** Rows = gold labels, columns = predicted labels and a last column for invalid predictions. */
  confusion: z.strictObject({ labels: z.array(z.string()), counts: z.array(z.array(z.number().int())) }).optional(),
  reliability: z
    .array(
      z.strictObject({
        low: z.number(),
        high: z.number(),
        n: z.number().int(),
        confidence: z.number().nullable(),
        accuracy: z.number().nullable(),
      }),
    )
    .optional(),
  ties: z.number().int().optional(),
  majorityBaseline: z.strictObject({ label: z.string(), value: z.number() }).nullable().optional(),
  notes: z.array(z.string()).optional(),
});
export type MetricDetails = z.infer<typeof metricDetailsSchema>;

export interface MetricOutput {
  readonly values: readonly MetricValue[];
  readonly details?: MetricDetails | undefined;
}

export interface MetricOptions {
  readonly labels?: readonly string[] | undefined;
  readonly seed: number;
  /** Confidence level of intervals. @default 0.95 */
  readonly level?: number | undefined;
  /** Options of this use, from the task file. */
  readonly use: Readonly<Record<string, unknown>>;
}

export interface MetricAccumulator {
  /**
   * Takes one row (outcome `scored` or `invalid`; never `error` or `skipped`) and returns its own score
   * for paired comparison and drill-down, or null where the metric has no per-row score.
   */
  readonly add: (row: PredictionRow) => number | null;
  readonly finish: () => MetricOutput;
}

export interface Metric {
  readonly name: string;
  readonly version: string;
  readonly title: string;
  /** What it computes, with the source of its definition. */
  readonly description: string;
  readonly higherIsBetter: boolean;
  readonly create: (options: MetricOptions) => MetricAccumulator;
}
