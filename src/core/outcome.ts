// How a sample ended: a closed union that is kept apart everywhere and counted in every record.
import { z } from 'zod';

export const invalidReasons = ['empty', 'truncated', 'thinking-only', 'out-of-set', 'ambiguous', 'unparseable', 'refused'] as const;
export const errorClasses = ['timeout', 'backend', 'transport', 'context-overflow'] as const;
export type InvalidReason = (typeof invalidReasons)[number];
export type ErrorClass = (typeof errorClasses)[number];

/**
 * `scored`: a valid prediction, right or wrong. `invalid`: counts as wrong in accuracy and as a miss in recall, adds no class.
 * `error`: never enters a score. `skipped`: left out on purpose (policy or tie of empty continuations).
 */
export const outcomeSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('scored') }),
  z.strictObject({ kind: z.literal('invalid'), reason: z.enum(invalidReasons), detail: z.string().optional() }),
  z.strictObject({ kind: z.literal('error'), class: z.enum(errorClasses), message: z.string() }),
  z.strictObject({ kind: z.literal('skipped'), reason: z.string() }),
]);
export type Outcome = z.infer<typeof outcomeSchema>;

export const scored: Outcome = { kind: 'scored' };
export function invalid(reason: InvalidReason, detail?: string): Outcome {
  return detail === undefined ? { kind: 'invalid', reason } : { kind: 'invalid', reason, detail };
}
