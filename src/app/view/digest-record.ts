// What lists and the leaderboard need of a record, so that a thousand records do not stay in memory.
import { z } from 'zod';
import { metricValueSchema } from '../../core/metric.ts';
import { validitySchema } from '../../core/record.ts';
import type { Headline, LeaderboardEntry } from '../../report/viewer/viewer-contract.ts';

const number = z.number().nullable().catch(null);

/** Only what is read here is checked: the list must not fail on a record of a newer version. */
const shape = z.object({
  id: z.string(),
  name: z.string(),
  smoke: z.boolean().catch(false),
  created: z.string(),
  durationMs: number,
  models: z.array(
    z.object({
      key: z.string(),
      facts: z.object({ sizeBytes: number, parameters: number, quantisation: z.string().nullable().catch(null) }),
    }),
  ),
  tasks: z.array(
    z.object({ key: z.string(), title: z.string(), manifest: z.string(), protocol: z.string(), sampleIds: z.array(z.unknown()) }),
  ),
  modelRuns: z.array(z.object({ model: z.string(), resources: z.object({ peakRssBytes: number }).nullable().catch(null) })).catch([]),
  results: z.array(
    z.object({
      model: z.string(),
      task: z.string(),
      primary: metricValueSchema.nullable().catch(null),
      counts: z.object({ total: z.number(), missing: z.number() }),
      speed: z.object({ latencyMs: z.object({ p50: number }), decodeTokensPerSecond: number }),
      resources: z.object({ peakRssBytes: number }).nullable().catch(null),
      validity: validitySchema.catch({ verdict: 'suspect', reasons: [] }),
    }),
  ),
});
type Shape = z.infer<typeof shape>;

export interface RecordDigest {
  readonly name: string;
  readonly smoke: boolean;
  readonly durationMs: number | null;
  readonly done: number;
  readonly total: number;
  readonly headlines: readonly Headline[];
  /** Run name and tags are filled in by the catalogue: they change without the record. */
  readonly entries: readonly Omit<LeaderboardEntry, 'runName' | 'tags'>[];
}

function entryOf(record: Shape, result: Shape['results'][number]): RecordDigest['entries'][number] | null {
  const task = record.tasks.find((one) => one.key === result.task);
  const facts = record.models.find((one) => one.key === result.model)?.facts;
  if (task === undefined || facts === undefined) return null;
  const run = record.modelRuns.find((one) => one.model === result.model);
  return {
    run: record.id,
    created: record.created,
    model: result.model,
    task: task.key,
    taskTitle: task.title,
    manifest: task.manifest,
    samples: task.sampleIds.length,
    protocol: task.protocol,
    primary: result.primary,
    latencyP50Ms: result.speed.latencyMs.p50,
    decodeTokensPerSecond: result.speed.decodeTokensPerSecond,
    peakRssBytes: run?.resources?.peakRssBytes ?? result.resources?.peakRssBytes ?? null,
    sizeBytes: facts.sizeBytes,
    parameters: facts.parameters,
    quantisation: facts.quantisation,
    verdict: result.validity.verdict,
    smoke: record.smoke,
  };
}

/** null where the value is no record that this version can list. */
export function digestRecord(value: unknown): RecordDigest | null {
  const parsed = shape.safeParse(value);
  if (!parsed.success) return null;
  const record = parsed.data;
  const sum = (pick: (counts: Shape['results'][number]['counts']) => number): number =>
    record.results.reduce((total, result) => total + pick(result.counts), 0);
  return {
    name: record.name,
    smoke: record.smoke,
    durationMs: record.durationMs,
    total: sum((counts) => counts.total),
    done: sum((counts) => counts.total - counts.missing),
    headlines: record.results.map(({ model, task, primary, validity }) => ({ model, task, primary, verdict: validity.verdict })),
    entries: record.results.flatMap((result) => entryOf(record, result) ?? []),
  };
}
