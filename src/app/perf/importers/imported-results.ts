// Results of other load generators in our words, each figure with the note that says where its definition is another.
import { z } from 'zod';

export const importedMetricSchema = z.strictObject({
  /** Our name of the metric. */
  metric: z.string(),
  /** Its name in the other tool's file. */
  original: z.string(),
  unit: z.string(),
  n: z.number().int().nullable(),
  mean: z.number().nullable(),
  sd: z.number().nullable(),
  p50: z.number().nullable(),
  p95: z.number().nullable(),
  p99: z.number().nullable(),
  /** null where the definition is ours. */
  differs: z.string().nullable(),
});
export type ImportedMetric = z.infer<typeof importedMetricSchema>;

export const importedPointSchema = z.strictObject({
  model: z.string(),
  load: z.string(),
  requests: z.number().int().nullable(),
  failed: z.number().int().nullable(),
  metrics: z.array(importedMetricSchema),
});
export type ImportedPoint = z.infer<typeof importedPointSchema>;

export const importedResultsSchema = z.strictObject({
  schema: z.literal('slmbench/imported-performance/1'),
  tool: z.enum(['llama-bench', 'vllm', 'guidellm', 'aiperf']),
  points: z.array(importedPointSchema),
});
export type ImportedResults = z.infer<typeof importedResultsSchema>;

/** A number of loosely typed JSON, or null. */
export function numberAt(value: unknown, ...path: readonly string[]): number | null {
  let current: unknown = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return null;
    current = (current as Record<string, unknown>)[key];
  }
  return typeof current === 'number' && Number.isFinite(current) ? current : null;
}

export function textAt(value: unknown, ...path: readonly string[]): string | null {
  let current: unknown = value;
  for (const key of path) {
    if (typeof current !== 'object' || current === null) return null;
    current = (current as Record<string, unknown>)[key];
  }
  return typeof current === 'string' ? current : null;
}

export function listAt(value: unknown, key: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const list = (value as Record<string, unknown>)[key];
  return Array.isArray(list) ? list : [];
}
