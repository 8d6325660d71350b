// The `quantisation` block of a record.
import { z } from 'zod';
import { validitySchema } from '../../../core/record.ts';
import { engineSpeedSchema } from '../perf-schema.ts';
import { fidelitySchema } from './fidelity-summary.ts';

export const quantMemberSchema = z.strictObject({
  model: z.string(),
  quantisation: z.string(),
  isReference: z.boolean(),
  /** `given`, or how the file was made here. */
  origin: z.string(),
  digest: z.string().nullable(),
  sizeBytes: z.number(),
  parameters: z.number(),
  bitsPerWeight: z.number(),
  /** Weights per tensor type, read from the file. */
  tensorTypes: z.record(z.string(), z.strictObject({ tensors: z.number().int(), elements: z.number(), bitsPerWeight: z.number() })),
  notes: z.array(z.string()),
  speed: z.array(engineSpeedSchema),
  peakRssBytes: z.number().nullable(),
  /** null for the reference itself, and where it was not measured. */
  fidelity: fidelitySchema.nullable(),
});
export type QuantMember = z.infer<typeof quantMemberSchema>;

export const quantTaskSchema = z.strictObject({
  task: z.string(),
  metric: z.string(),
  results: z.array(
    z.strictObject({
      model: z.string(),
      value: z.number().nullable(),
      n: z.number().int(),
      difference: z.number().nullable(),
      interval: z.strictObject({ low: z.number(), high: z.number() }).nullable(),
      adjustedP: z.number().nullable(),
      minimumDetectable: z.number().nullable(),
      verdict: z.string(),
    }),
  ),
});
export type QuantTask = z.infer<typeof quantTaskSchema>;

export const quantisationSchema = z.strictObject({
  schema: z.literal('slmbench/quantisation/1'),
  reference: z.string(),
  text: z.strictObject({
    name: z.string(),
    sha256: z.string(),
    windows: z.number().int().nullable(),
    windowTokens: z.number().int(),
    bos: z.string(),
    scored: z.string(),
  }),
  members: z.array(quantMemberSchema),
  tasks: z.array(quantTaskSchema),
  /** Run of the task results. */
  taskRun: z.string().nullable(),
  validity: validitySchema,
});
export type Quantisation = z.infer<typeof quantisationSchema>;
