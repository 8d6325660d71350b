// What a run knows beyond plan and journal: sessions with their host, tool revision, loads and resources. Kept in the run
// folder, so that `verify` can build the record again.
import { z } from 'zod';
import { environmentSchema, gitSchema, modelRunSchema, resourceSummarySchema } from '../core/record.ts';

export const factsFile = 'facts.json';

export const taskSessionSchema = z.strictObject({
  model: z.string(),
  task: z.string(),
  startedAt: z.string(),
  finishedAt: z.string(),
  /** Monotonic duration of the measured part (model loaded and warm), ms; null when every answer came from the cache. */
  measuredMs: z.number().nullable(),
  /** Answers that the model gave in `measuredMs`, errors left out. */
  freshAnswers: z.number().int(),
  concurrency: z.number().int().nullable(),
  resources: resourceSummarySchema.nullable(),
});
export type TaskSession = z.infer<typeof taskSessionSchema>;

/** Facts about who runs and where, fixed when a session starts. */
export const sessionOriginSchema = z.strictObject({
  tool: z.strictObject({ name: z.literal('slmbench'), version: z.string(), git: gitSchema }),
  project: gitSchema.nullable(),
  command: z.string(),
  environment: environmentSchema,
});
export type SessionOrigin = z.infer<typeof sessionOriginSchema>;

export const runSessionSchema = z.strictObject({
  ...sessionOriginSchema.shape,
  startedAt: z.string(),
  /** As of the last write: a killed session ends with its last finished task. */
  finishedAt: z.string(),
  durationMs: z.number(),
  interrupted: z.boolean(),
  modelRuns: z.array(modelRunSchema),
  tasks: z.array(taskSessionSchema),
  /** Requests sent to warm a model up, excluded from rows and timing. */
  warmups: z.array(
    z.strictObject({ model: z.string(), task: z.string(), kind: z.enum(['score', 'generate', 'rolling']), durationMs: z.number() }),
  ),
  notes: z.array(z.string()),
});
export type RunSession = z.infer<typeof runSessionSchema>;

export const runFactsSchema = z.strictObject({
  schema: z.literal('slmbench/run-facts/1'),
  runId: z.string(),
  sessions: z.array(runSessionSchema),
});
export type RunFacts = z.infer<typeof runFactsSchema>;
